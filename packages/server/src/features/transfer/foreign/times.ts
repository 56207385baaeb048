import { type Instant, readInstant } from '@manager/core/usage/timestamp';
import { SourceRefused } from './source.ts';

/** Times of a tool that does not always write the offset. */
export interface ForeignTimes {
  /** null when it is invalid. */
  read(value: unknown): Instant | null;
}

const OFFSET = /(?:[zZ]|[+-]\d\d:?\d\d)$/;
const DATE_AND_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** Whether a time is a local time of an unknown zone. */
export function lacksOffset(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const text = value.trim();
  return DATE_AND_TIME.test(text) && !OFFSET.test(text);
}

/** @param timeZone of the texts without offset; null = there are none */
export function createForeignTimes(timeZone: string | null): ForeignTimes {
  if (timeZone !== null) requireZone(timeZone);
  return {
    read(value) {
      if (!lacksOffset(value)) return readInstant(value);
      return timeZone === null ? null : localInstant(String(value).trim(), timeZone);
    },
  };
}

function requireZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new SourceRefused('--time-zone is not a time zone; use for example Europe/Berlin');
  }
}

/** A skipped local time counts as the one after it, a repeated one as the first. */
function localInstant(text: string, timeZone: string): Instant | null {
  try {
    const local = Temporal.PlainDateTime.from(text.replace(' ', 'T'));
    return readInstant(local.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).toInstant().toString());
  } catch {
    return null;
  }
}
