/** Files and threads for Node; everything else is in `spanwright` itself. */
export { loadModelFile, readColumnsFile, saveModelFile } from './corpora.js';
export { FileError } from './files.js';
export { blockRunner } from './thread-pool.js';
