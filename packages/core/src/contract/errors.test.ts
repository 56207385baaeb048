import { describe, expect, test } from 'bun:test';
import { AppError, ERRORS, type ErrorCode } from './errors.ts';
import { GENERIC_CODE, GENERIC_ERRORS } from './generic-errors.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

describe('errors', () => {
  test.each(CODES)('%s is sent under the code that the interface fixes, else under its own', (code) => {
    const expected: string = Object.hasOwn(GENERIC_ERRORS, code) ? GENERIC_CODE : code;
    expect(new AppError(code).toBody()).toEqual({ error: ERRORS[code].message, code: expected as never });
  });

  test('none is the generic one: whatever is not foreseen has a name too', () => {
    expect(CODES).not.toContain(GENERIC_CODE);
    expect(new AppError('internal_error').toBody()).toEqual({ error: 'request failed', code: GENERIC_CODE });
  });

  test('of the generic ones are those whose answer the interface fixes, and no others', () => {
    // A new error has a code of its own in errors.ts, unless the interface says otherwise for exactly that answer.
    expect(Object.keys(GENERIC_ERRORS)).toHaveLength(46);
  });
});
