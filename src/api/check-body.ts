import { listNames, quote, show } from '../base/errors.js';
import { checkOption, type OptionDeclaration, type OptionValue, settleOptions } from '../base/options.js';
import { ApiError } from './api-error.js';
import type { ApiOperation } from './operations.js';

/** A request's body, checked: plain values by their declarations, others as they are. */
export type CheckedBody = Readonly<Record<string, unknown>>;

/**
 * Checks the body of a request.
 *
 * @throws ApiError for what is no object, members that there are not, and required ones that are missing; OptionError for values.
 */
export function checkBody({ body = [] }: ApiOperation, given: unknown): CheckedBody {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ApiError(400, 'bad-request', `expected a JSON object, found ${show(given)}`);
  }
  const names = body.map(({ option }) => option.name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new ApiError(
      400,
      'bad-request',
      `expected the members ${listNames(names)}, found ${quote(unknown)}`,
    );
  }
  const values = given as Readonly<Record<string, unknown>>;
  const checked: Record<string, unknown> = {};
  for (const { option, schema, required } of body) {
    const value = values[option.name];
    if (value === undefined) {
      if (required)
        throw new ApiError(400, 'bad-request', `expected the member ${quote(option.name)}, found none`);
      if (option.default !== undefined && schema === undefined) checked[option.name] = option.default;
    } else {
      // An empty text is a text.
      const isEmpty = option.kind === 'string' && value === '';
      checked[option.name] = schema || isEmpty ? value : checkOption(option, value);
    }
  }
  return checked;
}

/** Checks the parameters of a request. @throws ApiError for those that there are not, OptionError for values. */
export function checkQuery(
  declarations: readonly OptionDeclaration[],
  given: Readonly<Record<string, string>>,
): Record<string, OptionValue> {
  const names = declarations.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const expected = names.length === 0 ? 'no parameters' : `the parameters ${listNames(names)}`;
    throw new ApiError(400, 'bad-request', `expected ${expected}, found ${quote(unknown)}`);
  }
  return settleOptions(declarations, given, {});
}
