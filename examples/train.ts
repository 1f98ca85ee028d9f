// Trains a small tagger of one's own, scores it and saves it:  npx tsx examples/train.ts model.safetensors
// The data here are a toy; a real file is read with readColumnsFile from spanwright/node.
import { configure, conllevalTable, readColumns, scoreModel, Tagger, train } from 'spanwright';
import { saveModelFile } from 'spanwright/node';

// A token a line, its label in the last column, a blank line after each sentence.
const training = `
Order B-ACTION
two B-QUANTITY
large B-ITEM
pizzas I-ITEM

Cancel B-ACTION
the O
pizzas B-ITEM

Order B-ACTION
three B-QUANTITY
salads B-ITEM
`;
const heldOut = `
Cancel B-ACTION
two B-QUANTITY
salads B-ITEM
`;

const columns = ['word', 'slot'];
const configuration = configure({
  task: 'chunking',
  columns,
  options: { templates: 'pos', 'cut-off': 1, scheme: 'iob2', direction: 'forward' },
});
const model = await train(readColumns(training, { columns }), configuration);
const tagger = new Tagger(model);

console.log(conllevalTable(scoreModel(tagger, readColumns(heldOut, { columns }))));
const { spans } = tagger.label({ word: ['Cancel', 'three', 'large', 'salads'] });
for (const { type, start, end } of spans) console.log(`${type}: tokens ${start} to ${end - 1}`);

const output = process.argv[2];
if (output !== undefined) await saveModelFile(output, model);
