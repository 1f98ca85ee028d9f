/** The worker that reads files and trains; its code is read with the first question. */
import { answerQuestions } from './answer.js';

answerQuestions(async () => {
  const [training, data] = await Promise.all([import('./training.js'), import('./data.js')]);
  return { ...training.methods, ...data.methods };
});
