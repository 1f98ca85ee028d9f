/** The worker that suggests while somebody annotates. */
import { answerQuestions } from './answer.js';

answerQuestions(async () => (await import('./annotating.js')).methods);
