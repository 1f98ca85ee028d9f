/** JSON schemas of the files that commands take, made from the declarations that check them. */
import { objectSchema, valueSchema } from '../base/option-schema.js';
import {
  CONFIGURATION_MEMBERS,
  CORPUS_MEMBERS,
  EXPERIMENT_MEMBERS,
  MEASURE_OPTION,
  MEASUREMENTS,
  SIZE_OPTION,
} from './experiment-file.js';
import { TASK_OPTION } from './options.js';
import { INPUT_OPTIONS } from './training-options.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The schema of a file for `--config`. */
export function configurationSchema(): object {
  const members = CONFIGURATION_MEMBERS.filter(({ name }) => name !== 'name');
  const schema = objectSchema([TASK_OPTION, ...INPUT_OPTIONS, ...members]);
  return {
    $schema: DIALECT,
    title: 'Configuration of a Spanwright model',
    ...schema,
    properties: { ...SCHEMA_MEMBER, ...schema.properties },
  };
}

/** The schema of a file for `experiment`. */
export function experimentSchema(): object {
  const { properties } = objectSchema(EXPERIMENT_MEMBERS);
  const measurements = Object.entries(MEASUREMENTS).map(([name, help]) => `${name}: ${help}`);
  return {
    $schema: DIALECT,
    title: 'Spanwright experiment',
    type: 'object',
    additionalProperties: false,
    required: ['corpora', 'configurations'],
    properties: {
      ...SCHEMA_MEMBER,
      ...properties,
      measure: {
        type: 'array',
        items: { ...valueSchema(MEASURE_OPTION), description: measurements.join('; ') },
        default: ['test'],
      },
      sizes: { type: 'array', items: valueSchema(SIZE_OPTION) },
      corpora: {
        type: 'array',
        minItems: 1,
        items: { ...objectSchema(CORPUS_MEMBERS), required: ['name', 'task', 'train'] },
      },
      configurations: {
        type: 'array',
        minItems: 1,
        items: { ...objectSchema(CONFIGURATION_MEMBERS), required: ['name'] },
      },
    },
  };
}

/** What editors know a file's schema by. */
const SCHEMA_MEMBER = {
  $schema: { type: 'string', description: 'address of the schema that editors check this file by' },
};
