export const NANOS_PER_MS = 1_000_000;
const DAY_MS = 86_400_000;

/** The day of the last text: events are nearly in order of time, and formatting a date is slow. */
let day = Number.NaN;
let dayText = '';

/**
 * RFC 3339 in UTC with nanoseconds, without trailing zeros. '' for times outside the range of a date.
 *
 * @param timestampMs an integer
 * @param nanos nanoseconds after the millisecond
 * @example timestampText(1_783_036_796_935, 427_382) // '2026-07-02T23:59:56.935427382Z'
 */
export function timestampText(timestampMs: number, nanos: number): string {
  const inDay = ((timestampMs % DAY_MS) + DAY_MS) % DAY_MS;
  if (timestampMs - inDay !== day) {
    const date = new Date(timestampMs);
    if (Number.isNaN(date.getTime())) return '';
    const text = date.toISOString();
    day = timestampMs - inDay;
    dayText = text.slice(0, text.indexOf('T') + 1);
  }
  const seconds = Math.floor(inDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  const fraction = (inDay % 1000) * NANOS_PER_MS + nanos;
  if (fraction === 0) return `${dayText}${clock}Z`;
  const digits = String(fraction).padStart(9, '0');
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end -= 1;
  return `${dayText}${clock}.${digits.slice(0, end)}Z`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
