// Labels each text that it is sent, so that the page stays free while a long one is labelled. The first answer says
// whether the models could be loaded.
import { loadPipeline } from './load-pipeline.js';

try {
  const pipeline = await loadPipeline();
  self.onmessage = ({ data: text }) => postMessage({ labelling: pipeline.label(text) });
  postMessage({});
} catch (error) {
  postMessage({ problem: error.message });
}
