// Labels what is typed, on the page itself. Bundled by serve.js; any bundler does.
import { loadModel, Pipeline } from 'spanwright';

const [input, status, output] = ['text', 'status', 'labelled'].map((id) => document.getElementById(id));

async function fetchModel(name) {
  const response = await fetch(`models/${name}.safetensors`);
  if (!response.ok) throw new Error(`models/${name}.safetensors: ${response.status} ${response.statusText}`);
  return loadModel(new Uint8Array(await response.arrayBuffer()), name);
}

function show(text) {
  const started = performance.now();
  const { tokens, chunks } = pipeline.label(text);
  const milliseconds = performance.now() - started;
  output.replaceChildren();
  let next = 0;
  for (const { type, start, end } of chunks) {
    output.append(text.slice(next, start));
    const mark = document.createElement('mark');
    mark.dataset.type = type;
    mark.textContent = text.slice(start, end);
    output.append(mark);
    next = end;
  }
  output.append(text.slice(next));
  status.textContent = `${tokens.length} tokens, ${chunks.length} chunks, ${milliseconds.toFixed(1)} ms`;
}

let pipeline;
try {
  pipeline = new Pipeline(await Promise.all(['english-pos', 'english-chunk'].map(fetchModel)));
  input.value = 'The quick brown fox jumped over the lazy dog. It didn’t look back 🦊.';
  input.disabled = false;
  input.addEventListener('input', () => show(input.value));
  show(input.value);
} catch (error) {
  status.textContent = `The models could not be loaded: ${error.message}`;
}
