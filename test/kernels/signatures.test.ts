import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Kernel } from '../../src/kernels/kernel.js';

const folder = new URL('../../src/kernels/', import.meta.url);
const assembly = new URL('assembly/', folder);

/** Sources of all twins. */
const twins = readdirSync(assembly)
  .map((file) => readFileSync(new URL(file, assembly), 'utf8'))
  .join('\n');

/** Names that the module exports. */
const exported = [
  ...readFileSync(new URL('index.ts', assembly), 'utf8').matchAll(/export \{([^}]*)\}/g),
].flatMap(([, names]) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
);

/** Name and type of each parameter of a twin. */
function parametersOf(twin: string): [name: string, type: string][] {
  const found = new RegExp(`export function ${twin}\\(([^)]*)\\)`).exec(twins);
  if (!found) throw new Error(`expected a twin ${twin}, found none`);
  return [...found[1].matchAll(/(\w+): (\w+)/g)].map(([, name, type]) => [name, type]);
}

/** Type of a parameter in AssemblyScript, by its kind. */
function typesOf(kind: string): string[] {
  if (kind === 'flag') return ['bool', 'i32'];
  return kind === 'number' || kind === 'constant' ? ['i32', 'u32', 'f32', 'f64'] : ['usize'];
}

function isKernel(value: unknown): value is Kernel<unknown> {
  return typeof value === 'object' && value !== null && 'plain' in value && 'parameters' in value;
}

const kernels: Kernel<unknown>[] = [];
for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
  const module: Record<string, unknown> = await import(new URL(file, folder).href);
  kernels.push(...Object.values(module).filter(isKernel));
}

describe('kernels', () => {
  it('are all that the module exports, and the other way round', () => {
    expect(kernels.map(({ name }) => name).sort()).toEqual([...exported].sort());
  });

  it.each(kernels.map((kernel) => [kernel.name, kernel] as const))(
    '%s has the parameters of its twin, in their order',
    (name, { parameters }) => {
      const twin = parametersOf(name);
      expect(Object.keys(parameters)).toEqual(twin.map(([own]) => own));
      Object.values(parameters).forEach(([kind], i) => {
        expect(typesOf(kind), twin[i][0]).toContain(twin[i][1]);
      });
    },
  );
});
