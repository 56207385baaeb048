/** Shorter keys show at most a third of their characters. */
const LONG_KEY = 16;

/** First four and last four characters; of a short key fewer, of a very short one the first alone. */
export function maskKey(key: string): string {
  const third = Math.floor(key.length / 3);
  const last = key.length >= LONG_KEY ? 4 : key.length <= 10 ? 0 : Math.floor(third / 2);
  const first = last === 0 ? Math.min(2, third) : last;
  return `${key.slice(0, first)}…${last === 0 ? '' : key.slice(-last)}`;
}
