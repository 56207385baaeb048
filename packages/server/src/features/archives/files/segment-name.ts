const NAME = /^segment-(\d{6})-(\d{20})-(\d{20})\.jsonl\.gz$/;

/** @example segmentFileName(1, 7, 12) // 'segment-000001-00000000000000000007-00000000000000000012.jsonl.gz' */
export function segmentFileName(sequence: number, firstEventId: number, lastEventId: number): string {
  const digits = (value: number, length: number) => String(value).padStart(length, '0');
  return `segment-${digits(sequence, 6)}-${digits(firstEventId, 20)}-${digits(lastEventId, 20)}.jsonl.gz`;
}

export function isSegmentFileName(name: string): boolean {
  return NAME.test(name);
}
