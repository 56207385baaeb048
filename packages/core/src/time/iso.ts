/**
 * ISO 8601 with milliseconds and the offset of a zone; '' for an instant that no date can hold.
 * @param offsetMs local time minus UTC at that instant
 * @example isoWithOffset(0, 3_600_000) // 1970-01-01T01:00:00.000+01:00
 */
export function isoWithOffset(ms: number, offsetMs: number): string {
  const date = new Date(ms + offsetMs);
  if (Number.isNaN(date.getTime())) return '';
  const local = date.toISOString().slice(0, -1);
  const minutes = Math.abs(Math.round(offsetMs / 60_000));
  return `${local}${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
