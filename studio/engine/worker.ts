/** The worker that labels; its code is read with the first question. */
import { answerQuestions } from './answer.js';

answerQuestions(async () => (await import('./labelling.js')).methods);
