const DECIMAL = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:e([+-]?\d+))?$/i;
/** Far beyond the range of a double, and still written without an exponent. */
const MAX_EXPONENT = 9999;

/**
 * The decimal text of a JSON number that was kept as text, of a plain number, or of a numeric string; null for anything else.
 */
export function decimalText(value: unknown): string | null {
  const text = typeof value === 'object' ? rawText(value) : typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return null;
  const trimmed = text.trim();
  return DECIMAL.test(trimmed) ? trimmed : null;
}

function rawText(value: object | null): unknown {
  return value !== null && JSON.isRawJSON(value) ? JSON.stringify(value) : null;
}

/**
 * The number of a decimal text times 10^`places`. Only the exponent changes, so the result is the double nearest to the
 * exact product; multiplying doubles is wrong in the last digits.
 *
 * @example shiftDecimal('0.0000033', 6) // 3.3, while 0.0000033 * 1e6 is 3.3000000000000003
 */
export function shiftDecimal(text: string, places: number): number {
  const [, mantissa = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const shifted = Math.min(Math.max(Number(exponent) + places, -MAX_EXPONENT), MAX_EXPONENT);
  const value = Number(`${mantissa}e${shifted}`);
  // -0 becomes 0.
  return value === 0 ? 0 : value;
}
