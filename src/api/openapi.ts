import { objectSchema, valueSchema } from '../base/option-schema.js';
import type { OptionDeclaration } from '../base/options.js';
import { VERSION } from '../base/version.js';
import { API_ROOT, type ApiOperation, type BodyMember } from './operations.js';

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: 'kind of error; stable' },
        message: { type: 'string', description: 'where, what was expected and what was found' },
      },
    },
  },
};

/** The OpenAPI 3.1 document of some operations. */
export function openApi(operations: readonly ApiOperation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = operationObject(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Spanwright',
      version: VERSION,
      description: 'Labels text, explains labels, keeps annotations.',
    },
    servers: [{ url: API_ROOT }],
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'needed where the server is not for this machine alone',
        },
      },
    },
    security: [{}, { token: [] }],
  };
}

function operationObject(operation: ApiOperation): object {
  const { id, help, path, query = [], body, streams, answer, schema } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const json = { 'application/json': { schema } };
  const content = streams === undefined ? json : { ...json, [streams]: { schema: { type: 'string' } } };
  return {
    operationId: id,
    summary: help,
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...query.map((declaration) => parameterObject(declaration)),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: bodySchema(body) },
          ...(streams !== undefined && { [streams]: { schema: { type: 'string' } } }),
        },
      },
    }),
    responses: {
      200: { description: answer, content },
      default: {
        description: 'what was wrong',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function parameterObject(declaration: OptionDeclaration): object {
  const { description, ...schema } = valueSchema(declaration);
  return { name: declaration.name, in: 'query', description, schema };
}

function bodySchema(members: readonly BodyMember[]): object {
  const plain = objectSchema(
    members.filter(({ schema }) => schema === undefined).map(({ option }) => option),
  );
  const others = members.filter(({ schema }) => schema !== undefined);
  const required = members.filter(({ required: must }) => must).map(({ option }) => option.name);
  return {
    ...plain,
    ...(required.length > 0 && { required }),
    properties: {
      ...plain.properties,
      ...Object.fromEntries(
        others.map(({ option, schema }) => [option.name, { ...schema, description: option.help }]),
      ),
    },
  };
}
