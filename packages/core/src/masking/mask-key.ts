/** First four and last four characters; of a key below 32 fewer, so that three quarters of a secret stay hidden. */
export function maskKey(key: string): string {
  const most = Math.min(8, Math.floor(key.length / 4));
  const last = Math.floor(most / 2);
  return `${key.slice(0, most - last)}…${last === 0 ? '' : key.slice(-last)}`;
}
