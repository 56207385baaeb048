import { expect, test } from 'bun:test';
import { isSegmentFileName, segmentFileName } from './segment-name.ts';

test('the name of a segment has its number and its ids', () => {
  const name = segmentFileName(1, 7, 12);
  expect(name).toBe('segment-000001-00000000000000000007-00000000000000000012.jsonl.gz');
  expect(isSegmentFileName(name)).toBe(true);
  expect(isSegmentFileName(segmentFileName(8_000, 1, Number.MAX_SAFE_INTEGER))).toBe(true);
});

test.each(['manifest.json', '.archive-tmp-1', 'segment-1-7-12.jsonl.gz', `x${segmentFileName(1, 7, 12)}`])(
  '%s is no segment',
  (name) => {
    expect(isSegmentFileName(name)).toBe(false);
  },
);
