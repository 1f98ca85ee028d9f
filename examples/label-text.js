// Labels English text with the bundled models:  node examples/label-text.js "Your sentence."
import { readFile } from 'node:fs/promises';
import { loadModel, Pipeline } from 'spanwright/label';

const model = async (name) =>
  loadModel(await readFile(new URL(import.meta.resolve(`spanwright/models/${name}.safetensors`))), name);

// Each model fills the column that the next one reads: words → parts of speech → chunks.
const pipeline = new Pipeline([await model('english-pos'), await model('english-chunk')]);

const text = process.argv[2] ?? 'The quick brown fox jumped over the lazy dog. It didn’t look back 🦊.';
const { sentences, tokens, chunks } = pipeline.label(text);

console.log(`${sentences.length} sentences, ${tokens.length} tokens`);
for (const { type, text: covered, start, end, confidence } of chunks) {
  // Offsets are UTF-16 units of the text given, so slicing gives the chunk back.
  console.log(`${type.padEnd(5)} ${start}–${end} ${JSON.stringify(covered)} (${confidence.toFixed(2)})`);
}
