// Labels what is typed, in a worker; with ?worker=no on the page itself. Bundled by serve.js; any bundler does.
const [input, status, output] = ['text', 'status', 'labelled'].map((id) => document.getElementById(id));

/** What labels a text on this page. */
async function labelHere() {
  const { loadPipeline } = await import('./load-pipeline.js');
  const pipeline = await loadPipeline();
  return async (text) => pipeline.label(text);
}

/** What labels a text in a worker, which answers in the order of the questions. */
function labelInWorker() {
  const worker = new Worker('worker.js', { type: 'module' });
  const questions = [];
  const ask = () => new Promise((resolve, reject) => questions.push({ resolve, reject }));
  worker.onmessage = ({ data: { problem, labelling } }) => {
    const { resolve, reject } = questions.shift();
    if (problem === undefined) resolve(labelling);
    else reject(new Error(problem));
  };
  worker.onerror = ({ message }) => {
    for (const { reject } of questions.splice(0)) reject(new Error(message));
  };
  return ask().then(() => (text) => {
    worker.postMessage(text);
    return ask();
  });
}

async function show(text) {
  const started = performance.now();
  status.textContent = '';
  const { tokens, chunks } = await label(text);
  const milliseconds = performance.now() - started;
  // More has been typed.
  if (text !== input.value) return;
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

let label;
try {
  label = await (new URLSearchParams(location.search).get('worker') === 'no' ? labelHere() : labelInWorker());
  input.value = 'The quick brown fox jumped over the lazy dog. It didn’t look back 🦊.';
  input.disabled = false;
  input.addEventListener('input', () => show(input.value));
  await show(input.value);
} catch (error) {
  status.textContent = `The models could not be loaded: ${error.message}`;
}
