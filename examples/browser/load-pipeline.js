// Loads the bundled models; the same on a page and in a worker.
import { loadModel, Pipeline } from 'spanwright/label';

async function fetchModel(name) {
  const response = await fetch(`models/${name}.safetensors`);
  if (!response.ok) throw new Error(`models/${name}.safetensors: ${response.status} ${response.statusText}`);
  return loadModel(new Uint8Array(await response.arrayBuffer()), name);
}

export async function loadPipeline() {
  return new Pipeline(await Promise.all(['english-pos', 'english-chunk'].map(fetchModel)));
}
