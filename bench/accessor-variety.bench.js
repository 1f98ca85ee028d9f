// Accessor variety of all n-grams of 2 to 6 characters in five million characters: PKU and SXU training text, and PKU's again
// with every fourth character another one, so that most n-grams are new.
import { readFileSync } from 'node:fs';
import { VarietyCounter } from '../dist/features/accessor-variety.js';
import { chinese } from './support.js';

const CHARACTERS = 5_000_000;
const files = chinese();
const textOf = (path) => readFileSync(path, 'utf8').replace(/[^\S\n]/gu, '');
const pku = textOf(files.pku);
const changed = (step) =>
  pku.replace(/[\u4e00-\u9fff]/g, (own, at) =>
    at % 4 === 0 ? String.fromCharCode(0x4e00 + ((own.charCodeAt(0) * step) % 4000)) : own,
  );
const text = (pku + textOf(files.sxu) + changed(7) + changed(11)).slice(0, CHARACTERS);
const started = performance.now();
const counter = new VarietyCounter();
for (const line of text.split('\n')) counter.add(line);
const { values } = counter.measure();
const seconds = process.cpuUsage().user / 1e6;
console.log(
  `${text.length.toLocaleString('en-US')} characters: ${((performance.now() - started) / 1000).toFixed(1)} s, ` +
    `${seconds.toFixed(1)} s of the processor from the start, ${Math.round(process.resourceUsage().maxRSS / 1000)} MB; ` +
    `${values.length.toLocaleString('en-US')} n-grams kept`,
);
