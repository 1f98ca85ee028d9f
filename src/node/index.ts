/** Files and threads for Node; everything else is in `spanwright` itself. */
export { loadModelFile, readColumnsFile, saveModelFile } from './corpora.js';
export { type CheckpointFile, openCheckpoint } from './file-checkpoint.js';
export { FileError } from './files.js';
export { blockRunner } from './thread-pool.js';
