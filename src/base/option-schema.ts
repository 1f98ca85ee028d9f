import type { OptionDeclaration } from './options.js';

/** JSON schema of an object that has certain members only. */
export interface ObjectSchema {
  /** Always `object`. */
  readonly type: 'object';
  /** Whether there may be other members: no. */
  readonly additionalProperties: false;
  /** Schemas of the members by name. */
  readonly properties: Readonly<Record<string, Record<string, unknown>>>;
}

/** JSON schema of an object whose members are options; no others are allowed. */
export function objectSchema(members: readonly OptionDeclaration[]): ObjectSchema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(members.map((member) => [member.name, valueSchema(member)])),
  };
}

/** JSON schema of an option's values. */
export function valueSchema(declaration: OptionDeclaration): Record<string, unknown> {
  const { kind, help, default: usual, min, above, max, choices } = declaration;
  const type = kind === 'flag' ? 'boolean' : kind === 'choice' ? 'string' : kind;
  return {
    type,
    description: help,
    ...(choices && { enum: choices }),
    ...(usual !== undefined && { default: usual }),
    ...(min !== undefined && { minimum: min }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    ...(max !== undefined && { maximum: max }),
  };
}
