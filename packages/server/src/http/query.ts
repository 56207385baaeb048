import { AppError } from '@manager/core/contract/errors';
import type { Context } from 'hono';

/**
 * A query parameter, `undefined` = not sent. Servers disagree on which of two values counts, so a repeated one with different
 * values is refused; unused parameters are ignored.
 *
 * @throws AppError 400
 */
export function queryParameter(c: Context, name: string): string | undefined {
  const [first, ...others] = c.req.queries(name) ?? [];
  if (others.some((other) => other !== first)) {
    throw new AppError('repeated_parameter', {
      message: `${name}: given more than once, with different values`,
    });
  }
  return first;
}
