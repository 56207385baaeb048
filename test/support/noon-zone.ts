/** A zone where it is about noon, so that midnight does not fall into a test. */
export function noonZone(): string {
  const behind = new Date().getUTCHours() - 12;
  return behind === 0 ? 'UTC' : `Etc/GMT${behind > 0 ? '+' : '-'}${Math.abs(behind)}`;
}
