import type * as z from 'zod';

const EXPECTED: Readonly<Record<string, string>> = {
  int: 'integer',
  array: 'list',
  record: 'object',
  boolean: 'true or false',
  string: 'text',
};

/**
 * Describes the problem of one value, in our words and without the value: the library's own texts use its type names. Passed to
 * a schema as `error`; a schema's own texts win.
 *
 * @example schema.safeParse(value, { error: describeIssue })
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'missing' : `${EXPECTED[issue.expected] ?? issue.expected} expected`;
    case 'invalid_value':
      return issue.input === undefined ? 'missing' : oneOf(issue.values);
    case 'too_small':
      return limit(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return limit(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_union':
      return issue.inclusive === false || issue.options === undefined ? 'not valid' : oneOf(issue.options);
    case 'unrecognized_keys':
      return `unknown member ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    default:
      return issue.input === undefined ? 'missing' : 'not valid';
  }
}

function oneOf(values: readonly unknown[]): string {
  return `one of ${values.map(String).join(', ')} expected`;
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' elements', set: ' elements' };

function limit(origin: string, word: string, bound: number | bigint): string {
  return `${word} ${bound}${UNITS[origin] ?? ''}`;
}
