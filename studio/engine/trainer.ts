/** The worker that reads files and trains; its code is read with the first question. */
import { answerQuestions, type Methods } from './answer.js';

const files = async () => (await import('./files.js')).methods;
const training = async () => (await import('./training.js')).methods;
const data = async () => (await import('./data.js')).methods;

/** What has the code of each method. */
const parts: Readonly<Record<string, () => Promise<Methods>>> = {
  importFiles: files,
  exportFiles: files,
  setPool: training,
  trainProject: training,
};

answerQuestions((method) => (parts[method] ?? data)());
