import type { OptionDeclaration } from '../base/options.js';
import { LABEL_FORMATS } from '../label/formats.js';
import { ERROR_POLICIES } from '../label/labeller.js';
import { BUNDLED_MODEL_NAMES } from '../model/bundled-models.js';
import { DECISION_KINDS, MOST_DECISIONS } from '../project/decisions.js';
import { STRATEGIES } from '../project/project.js';
import { TOKENIZER_HELP } from '../text/tokenizer-names.js';

/** A member of a request's body. */
export interface BodyMember {
  /** Declaration of a plain value; for others its name and help alone count. */
  readonly option: OptionDeclaration;
  /** JSON schema of a value that no option can be: a list or an object. */
  readonly schema?: object;
  /** Whether it must be there. */
  readonly required?: true;
}

/** An operation of the HTTP interface: routes, checks, the OpenAPI document and the reference page derive from it. */
export interface ApiOperation {
  /** Name, unique among all. */
  readonly id: string;
  /** Method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path under `/api/v1`, with parameters in braces. */
  readonly path: string;
  /** One line of help. */
  readonly help: string;
  /** Parameters after the question mark. */
  readonly query?: readonly OptionDeclaration[];
  /** Members of the JSON body. */
  readonly body?: readonly BodyMember[];
  /** Media types that the request may have besides JSON. */
  readonly streams?: string;
  /** What the answer holds, in words. */
  readonly answer: string;
  /** JSON schema of the answer. */
  readonly schema: object;
  /** Role that is needed where annotators have tokens; default any. */
  readonly role?: 'curator' | 'owner';
}

/** Where the interface begins. */
export const API_ROOT = '/api/v1';
/** Most UTF-16 units of a text in a JSON body; longer ones go as a stream. */
export const MOST_TEXT = 1_000_000;

const MODEL: OptionDeclaration = {
  name: 'model',
  kind: 'string',
  default: 'english-chunk',
  placeholder: 'NAME',
  help: `name of a model that the server has; always ${BUNDLED_MODEL_NAMES.join(', ')}`,
};
const CONFIDENCE: OptionDeclaration = {
  name: 'confidence',
  kind: 'flag',
  default: true,
  help: 'whether tokens and chunks have confidences, 0 to 1',
};
const KBEST: OptionDeclaration = {
  name: 'kbest',
  kind: 'integer',
  min: 1,
  max: 255,
  help: 'number of best labellings of each sentence to list',
};
const TEXT: BodyMember = {
  option: {
    name: 'text',
    kind: 'string',
    placeholder: 'a text',
    help: `raw text, at most ${MOST_TEXT} characters`,
  },
  required: true,
};
const STREAM_FORMATS = Object.keys(LABEL_FORMATS).filter((name) => name === 'json' || name === 'jsonl');

const PLACE = {
  text: { type: 'string', description: 'the characters' },
  start: { type: 'integer', description: 'first UTF-16 unit' },
  end: { type: 'integer', description: 'UTF-16 unit after the last one' },
  startCodePoint: { type: 'integer', description: 'start in code points' },
  endCodePoint: { type: 'integer', description: 'end in code points' },
};
const listOf = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });
const CONFIDENCE_SCHEMA = { type: 'number', minimum: 0, maximum: 1 };

/** Schema of a sentence as `label --format json` writes it. */
const SENTENCE = {
  ...PLACE,
  tokens: listOf({ ...PLACE, tag: { type: 'string' }, confidence: CONFIDENCE_SCHEMA }),
  chunks: listOf({
    type: { type: 'string' },
    ...PLACE,
    firstToken: { type: 'integer' },
    lastToken: { type: 'integer' },
    confidence: CONFIDENCE_SCHEMA,
  }),
};

/** Operations of labelling. */
export const LABEL_OPERATIONS: readonly ApiOperation[] = [
  {
    id: 'models',
    method: 'GET',
    path: '/models',
    help: 'list the models that the server has',
    answer: 'names, tasks and sizes',
    schema: {
      type: 'object',
      properties: {
        models: listOf({
          name: { type: 'string' },
          task: { type: 'string' },
          tokens: { enum: ['words', 'characters'] },
          types: { type: 'array', items: { type: 'string' } },
          bytes: { type: 'integer' },
          before: { type: 'string', description: 'model that fills in a column which this one reads' },
          file: { type: 'string', description: 'where its file is' },
        }),
      },
    },
  },
  {
    id: 'modelFile',
    method: 'GET',
    path: '/models/{model}/file',
    help: 'the file of a model, as training writes it',
    answer: 'a safetensors file',
    schema: { type: 'string', format: 'binary' },
  },
  {
    id: 'label',
    method: 'POST',
    path: '/label',
    help: `label a text; or a stream of documents, a JSON object with "text" a line, answered line by line (application/x-ndjson)`,
    query: [
      MODEL,
      CONFIDENCE,
      KBEST,
      {
        name: 'format',
        kind: 'choice',
        choices: STREAM_FORMATS,
        default: 'jsonl',
        help: 'format of a streamed answer: documents with spans, or a JSON object a sentence',
      },
      {
        name: 'on-error',
        kind: 'choice',
        choices: ERROR_POLICIES,
        default: 'stop',
        help: 'at a streamed document that cannot be read: stop, skip it, or keep it unlabelled',
      },
    ],
    body: [TEXT, { option: MODEL }, { option: CONFIDENCE }, { option: KBEST }],
    streams: 'application/x-ndjson',
    answer: 'sentences with tokens and chunks',
    schema: { type: 'object', properties: { model: { type: 'string' }, sentences: listOf(SENTENCE) } },
  },
  {
    id: 'explain',
    method: 'POST',
    path: '/explain',
    help: 'say why each token of a text got its label: the features that fired, with their weights',
    body: [
      TEXT,
      { option: MODEL },
      {
        option: {
          name: 'features',
          kind: 'integer',
          min: 1,
          max: 1000,
          default: 10,
          help: 'most features of a token, those that decide most first',
        },
      },
    ],
    answer: 'a list of tokens for each sentence',
    schema: {
      type: 'object',
      properties: {
        model: { type: 'string' },
        sentences: listOf({
          text: { type: 'string' },
          tokens: listOf({
            text: { type: 'string' },
            label: { type: 'string' },
            rival: { type: 'string' },
            score: { type: 'number' },
            rivalScore: { type: 'number' },
            features: listOf({
              feature: { type: 'string' },
              chosen: { type: 'number' },
              rival: { type: 'number' },
            }),
          }),
        }),
      },
    },
  },
];

const PROJECT_SCHEMA = {
  type: 'object',
  required: ['id', 'title', 'created', 'guidelines', 'tokenizer', 'layers', 'strategy', 'overlap'],
  properties: {
    id: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' },
    title: { type: 'string' },
    created: { type: 'integer', description: 'milliseconds since 1970' },
    guidelines: { type: 'string', description: 'how labels are to be used' },
    tokenizer: { type: 'string', enum: Object.keys(TOKENIZER_HELP) },
    layers: listOf({ name: { type: 'string' }, labels: { type: 'array', items: { type: 'string' } } }),
    strategy: { type: 'string', enum: Object.keys(STRATEGIES) },
    overlap: { type: 'number', minimum: 0, maximum: 1 },
    trashed: { type: 'boolean' },
  },
};
const SPAN_SCHEMA = { start: { type: 'integer' }, end: { type: 'integer' }, type: { type: 'string' } };
const DOCUMENT_SCHEMA = {
  type: 'object',
  required: ['id', 'title', 'text', 'sentences', 'tokens'],
  properties: {
    id: { type: 'string' },
    title: { type: 'string' },
    text: { type: 'string' },
    sentences: { type: 'string', description: 'packed numbers: tokens of each sentence' },
    tokens: {
      type: 'string',
      description: 'packed numbers: for each token, characters since the last one, and its length',
    },
    given: {
      type: 'object',
      additionalProperties: listOf(SPAN_SCHEMA),
      description: 'spans that came with it, by layer',
    },
  },
};
const ENTRY_SCHEMA = listOf({
  id: { type: 'string' },
  title: { type: 'string' },
  sentences: { type: 'integer' },
  tokens: { type: 'integer' },
});
const DECISIONS_SCHEMA = {
  type: 'array',
  maxItems: MOST_DECISIONS,
  items: {
    type: 'object',
    required: ['seq', 'time', 'doc', 'sentence', 'layer', 'kind'],
    properties: {
      seq: { type: 'integer', minimum: 1 },
      time: { type: 'integer' },
      doc: { type: 'string' },
      sentence: { type: 'integer' },
      layer: { type: 'string' },
      kind: {
        enum: Object.keys(DECISION_KINDS),
        description: Object.entries(DECISION_KINDS)
          .map(([name, help]) => `${name}: ${help}`)
          .join('; '),
      },
      span: { type: 'object', properties: SPAN_SCHEMA },
      from: { type: 'object', properties: SPAN_SCHEMA },
      spans: listOf(SPAN_SCHEMA),
    },
  },
};
const member = (name: string, help: string, schema: object): BodyMember => ({
  option: { name, kind: 'string', help },
  schema,
  required: true,
});
const wrapped = (name: string, schema: object) => ({ type: 'object', properties: { [name]: schema } });

/** Operations of projects, for servers that keep them. */
export const PROJECT_OPERATIONS: readonly ApiOperation[] = [
  {
    id: 'projects',
    method: 'GET',
    path: '/projects',
    help: 'list the projects',
    answer: 'projects, the oldest first',
    schema: wrapped('projects', { type: 'array', items: PROJECT_SCHEMA }),
  },
  {
    id: 'saveProject',
    method: 'PUT',
    path: '/projects/{project}',
    help: 'keep a project, in place of one of the same name',
    body: [member('project', 'the project', PROJECT_SCHEMA)],
    answer: 'nothing',
    schema: { type: 'object' },
    role: 'owner',
  },
  {
    id: 'documents',
    method: 'GET',
    path: '/projects/{project}/documents',
    help: 'list the documents of a project',
    answer: 'documents in the order in which they came',
    schema: wrapped('documents', ENTRY_SCHEMA),
  },
  {
    id: 'addDocuments',
    method: 'POST',
    path: '/projects/{project}/documents',
    help: 'add documents to a project',
    body: [member('documents', 'the documents', { type: 'array', items: DOCUMENT_SCHEMA })],
    answer: 'what lists say of them',
    schema: wrapped('documents', ENTRY_SCHEMA),
    role: 'owner',
  },
  {
    id: 'document',
    method: 'GET',
    path: '/projects/{project}/documents/{document}',
    help: 'a document',
    answer: 'text, tokens, and spans that came with it',
    schema: DOCUMENT_SCHEMA,
  },
  {
    id: 'annotators',
    method: 'GET',
    path: '/projects/{project}/annotators',
    help: 'names of those who have decided something',
    answer: 'names',
    schema: wrapped('annotators', { type: 'array', items: { type: 'string' } }),
  },
  {
    id: 'journal',
    method: 'GET',
    path: '/projects/{project}/journal/{annotator}',
    help: 'decisions of an annotator; those of others are for curators',
    query: [
      {
        name: 'after',
        kind: 'integer',
        min: 0,
        default: 0,
        help: 'number of the last decision that is known',
      },
    ],
    answer: 'decisions in order',
    schema: wrapped('decisions', DECISIONS_SCHEMA),
  },
  {
    id: 'append',
    method: 'POST',
    path: '/projects/{project}/journal/{annotator}',
    help: 'add decisions to one’s journal; they are on the disk when the answer comes',
    body: [member('decisions', 'decisions, numbered from the last one on', DECISIONS_SCHEMA)],
    answer: 'nothing',
    schema: { type: 'object' },
  },
];
