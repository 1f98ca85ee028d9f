import { chunking } from './chunking.js';
import { entities } from './entities.js';
import { jointPos } from './joint-pos.js';
import { pos } from './pos.js';
import { segmentation } from './segmentation.js';
import type { Task } from './task.js';

/** All tasks, by the name `--task` takes. */
export const TASKS: Readonly<Record<string, Task>> = {
  chunking,
  pos,
  segmentation,
  'joint-pos': jointPos,
  entities,
};
