import { createChunkFeed, type Fed } from '../chunk-feed.ts';
import { compileQuery } from '../query.ts';
import type { FactSnapshot } from '../reader.ts';
import type { Section } from '../section.ts';
import type { ScanTask } from './scan-share.ts';
import type { SharedRange } from './shared-range.ts';

/**
 * Scans the segments that it takes from the back of a task.
 *
 * @param known the sections of the question, by key
 * @returns the packed state of every section; null when the task names one, or a segment, that is not known here: the database has
 *   changed meanwhile. Then nothing is taken.
 */
export function scanPart(
  snapshot: FactSnapshot,
  task: ScanTask,
  known: ReadonlyMap<string, Section<unknown>>,
  range: Pick<SharedRange, 'takeLast'>,
  checkStopped: () => void,
): ReadonlyMap<string, unknown> | null {
  const segments = new Map(snapshot.chunks.map((chunk) => [chunk.segmentId, chunk]));
  const chunks = task.segments.flatMap((id) => segments.get(id) ?? []);
  const entries = task.sections.flatMap((key): Fed[] => {
    const section = known.get(key);
    return section?.exchange === undefined ? [] : [{ section, state: section.create(), fed: [] }];
  });
  if (chunks.length < task.segments.length || entries.length < task.sections.length) return null;
  const feed = createChunkFeed(snapshot, compileQuery(snapshot, task.query), checkStopped);
  for (let place = range.takeLast(); place >= 0; place = range.takeLast()) {
    const chunk = chunks[place];
    if (chunk !== undefined) feed.addClosed(chunk, entries);
  }
  return new Map(entries.map(({ section, state }) => [section.key, section.exchange?.pack(state)]));
}
