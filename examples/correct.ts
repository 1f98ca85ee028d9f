// Corrects a model, one sentence at a time, as an annotation tool does:  npx tsx examples/correct.ts
import { learn, Tagger } from 'spanwright';
import { loadModelFile } from 'spanwright/node';

const model = await loadModelFile('models/english-chunk.safetensors');
const sentence = {
  word: ['Patch', 'the', 'kernel', 'asap', '.'],
  pos: ['NNP', 'DT', 'NN', 'NN', '.'],
};
const corrected = [
  { start: 0, end: 1, type: 'VP' },
  { start: 1, end: 3, type: 'NP' },
  { start: 3, end: 4, type: 'ADVP' },
];

function show(when: string, tagger: Tagger): void {
  const chunks = tagger.label(sentence).spans.map(({ type, start, end }) => {
    return `[${type} ${sentence.word.slice(start, end).join(' ')}]`;
  });
  console.log(`${when}: ${chunks.join(' ')}`);
}

show('before', new Tagger(model));
show('after', new Tagger(learn(model, sentence, corrected)));
