// Well-formed inputs, small and made up.
import { load } from './dist.js';

const { configure, readColumns, saveModel, train } = await load('index.js');

const encode = (text) => new TextEncoder().encode(text);

/** Column files. */
export const COLUMNS = [
  'The DT B-NP\nold JJ I-NP\ndog NN I-NP\nbarks VBZ B-VP\n. . O\n\nShe PRP B-NP\nsees VBZ B-VP\nit PRP B-NP\n',
  '-DOCSTART- -X- O\n\nin\tIN\tB-PP\nParis\tNNP\tB-NP\n\n\nHe PRP B-NP\r\nwent VBD B-VP\r\n\r\nto TO B-PP\r\nNew NNP B-NP',
  '\ufeffNew York\tNNP\tB-NP\nis\tVBZ\tB-VP\n\n犬 NN B-NP\n👍 NN I-NP\n \n-DOCSTART-\nEnd NN E-NP\n\n\n',
].map(encode);

/** English texts. */
export const TEXTS = [
  'Mr. Smith didn’t go to the U.S. on Jan. 5. "Why not?" he asked (twice).\n\nIt cost $3.5 million – about 5% more…',
  "See https://example.org/a_(b), or mail me@example.org! 👩‍🚀🏽 flew. #tag @you 1/2 rock ’n’ roll; cannot, won't.\r\nEnd",
  "1. Preheat the oven.\n2. Wait...\u2028No. 5 is alive at 9 p.m. The dogs’ 'toys' \"cost\" ``more'' [a lot] {so}. -- J. A. Smith\n\n\n",
].map(encode);

/** JSONL spans. */
export const SPANS = [
  '{"text":"The old dog barks.","spans":[{"start":0,"end":11,"label":"NP"},{"start":12,"end":17,"label":"VP"}],"id":7}\n' +
    '{"text":"She sees it. 👩‍🚀 too.","labels":[[0,3,"NP"]],"meta":{"__proto__":1,"a":[null,0.5]}}\n',
  '{"text":"Paris in May","tokens":[{"start":0,"end":5,"pos":"NNP"},{"start":6,"end":8,"pos":"IN"},' +
    '{"start":9,"end":12,"pos":"NNP"}],"spans":null}\r\n\n{"text":""}\n{"text":"👍 ok. It is.","entities":[],' +
    '"spans":[{"startCodePoint":0,"endCodePoint":1,"type":"NP"}],"label":"x"}',
].map(encode);

/** CoNLL-U. */
export const CONLLU = [
  '# text = The dog barks.\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\tChunk=B-NP\n2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj\t_\tChunk=I-NP\n' +
    '3\tbarks\tbark\tVERB\tVBZ\t_\t0\troot\t_\tChunk=B-VP|SpaceAfter=No\n4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\tChunk=O\n\n' +
    '1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\tIN\t_\t_\t_\t_\tChunk=B-PP\n2\tle\tle\tDET\tDT\t_\t_\t_\t_\tChunk=B-NP\n2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n',
  '\ufeff# newdoc\r\n\r\n# sent_id = 2\r\n1\t_\t_\tX\t_\t_\t_\t_\t_\tGloss=a\\pb|Chunk=O\r\n2\tNew York\t_\tX\tNNP\t_\t_\t_\t_\tChunk=B-NP\r\n\r\n# end',
].map(encode);

/** Column files whose last two columns are gold and predicted tags. */
export const PREDICTED = [
  'a B-NP B-NP\nb I-NP O\n\nc O B-VP\n',
  'a S-X S-X\nb B-X B-X\nc E-X E-X\n',
  'New York\tB-NP\tI-NP\r\n\r\n-DOCSTART- O O\nx\tO\tO',
].map(encode);

/** Template files in every syntax. */
export const TEMPLATES = [
  'word[0]\nword[-1] word[0]\nword.suffix3[0]\npos[-1] pos[0] pos[1]\nlabel[-1]\nlabel[-1] pos[0]\n# a comment\n',
  'word.lower.prefix2[1] pos[0] # why\nword.test("^[A-Z]\\\\d+$")[0]\nword.match("\\\\d+")[0]\nlabel[-1] label[-2]\nbias\n',
  'U00:%x[-1,0]\nU01:%x[0,0]/%x[1,1]\nU02:%m[0,0,"^.?.?"]\nB\n',
  '# Wapiti\n*1:%X[ 0 , 0 ]\nu2:%t[0,0,"^\\u*$"]\nb01:%x[0,1]\nU:word %M[-2,1,"\\.$"]\nb\n',
].map(encode);

/** What `configure` is given. */
export const CONFIGURATIONS = [
  { task: 'chunking', options: { scheme: 'iob2', C: 0.5, epochs: 3, 'cut-off': 2, epsilon: 0.1 } },
  {
    task: 'pos',
    preset: 'fast',
    columns: ['word', 'pos'],
    options: { decoder: 'beam', beam: 4, order: 1, seed: 3, direction: 'backward', precision: 'int8' },
  },
  {
    task: 'chunking',
    preset: 'default',
    columns: ['word', '_', 'pos', 'chunk'],
    options: { learner: 'svm', strategy: 'ova', decoder: 'viterbi', templates: 'wide' },
  },
];

/** Trained on the first column file: parts of speech, chunks from them, and one whose column has an odd name. */
export const MODELS = await makeModels();

async function makeModels() {
  const make = async (columns, task, options, templates) => {
    const read = columns.concat('_', '_').slice(0, 3);
    const corpus = readColumns(COLUMNS[0], { columns: read });
    return train(
      corpus,
      configure({ task, columns, templates, options: { 'cut-off': 1, epochs: 2, ...options } }),
    );
  };
  const node = (view) => ({ nodes: [{ kind: 'token', view, offset: 0 }] });
  const odd = { name: 'odd', templates: [node('word'), node('Über-id')] };
  return {
    pos: await make(['word', 'pos'], 'pos', {}),
    chunker: await make(['word', 'pos', 'chunk'], 'chunking', { templates: 'wide', precision: 'int8' }),
    odd: await make(['word', 'Über-id', 'chunk'], 'chunking', { decoder: 'greedy' }, odd),
    exact: await make(['word', 'pos', 'chunk'], 'chunking', {
      decoder: 'beam',
      scheme: 'iobes',
      templates: 'small',
    }),
  };
}

/** Model files: those of the models above, and of every other kind of scores and tensors. */
export const MODEL_FILES = [...Object.values(MODELS), ...(await makeOtherModels())].map((model) =>
  saveModel(model),
);

function makeOtherModels() {
  const corpus = readColumns(COLUMNS[0], { columns: ['word', 'pos', 'chunk'] });
  const kinds = [
    { learner: 'crf', iterations: 10 },
    { learner: 'structured-svm', scheme: 'iobes', direction: 'forward', templates: 'wide' },
    { preset: 'chunk-level' },
    { strategy: 'tree', decoder: 'greedy' },
    { strategy: 'dag', decoder: 'greedy', templates: '001', classes: 'full', mask: 2 },
    { learner: 'hmm' },
  ];
  return Promise.all(
    kinds.map(({ preset, ...options }) =>
      train(corpus, configure({ task: 'chunking', preset, options: { 'cut-off': 1, ...options } })),
    ),
  );
}
