import { expect, test } from 'bun:test';
import * as z from 'zod';
import { describeIssue } from './describe-issue.ts';

const KINDS = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]);
const CASES: readonly (readonly [z.ZodType, unknown, string])[] = [
  [z.int().positive(), undefined, 'missing'],
  [z.int().positive(), 'secret', 'number expected'],
  [z.int().positive(), null, 'number expected'],
  [z.int().positive(), 1.5, 'integer expected'],
  [z.int().positive(), 0, 'more than 0'],
  [z.int().max(9), 10, 'at most 9'],
  [z.string().min(2), 'x', 'at least 2 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'at most 1 elements'],
  [z.array(z.string()), {}, 'list expected'],
  [z.object({}), [], 'object expected'],
  [z.boolean(), 1, 'true or false expected'],
  [z.enum(['auto', 'http']), 'secret', 'one of auto, http expected'],
  [z.strictObject({}), { other: 1 }, 'unknown member "other"'],
  [z.union([z.string(), z.int()]), {}, 'not valid'],
  [KINDS, { kind: 'secret' }, 'one of a, b expected'],
  [KINDS, {}, 'one of a, b expected'],
  [z.string('windows: missing'), 1, 'windows: missing'],
];

test.each(CASES)('describes the problem in clear words (%#)', (schema, value, text) => {
  const result = schema.safeParse(value, { error: describeIssue });
  expect(result.error?.issues[0]?.message).toBe(text);
});
