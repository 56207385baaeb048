import { type Change, diffLines, splitLines } from './line-diff.ts';

/** Lines that both sides changed in different ways. */
export interface LineConflict {
  /** In the text that both started from; counts from 1. */
  readonly line: number;
  readonly mine: string;
  readonly theirs: string;
}

export type Side = 'mine' | 'theirs';

export interface MergedLines {
  readonly conflicts: readonly LineConflict[];
  /** The merged text with a side for each conflict. */
  readonly resolve: (sides: readonly Side[]) => string;
}

type Part = string | LineConflict;

/** Merges two texts that started from the same one, line by line. */
export function mergeLines(base: string, mine: string, theirs: string): MergedLines {
  const start = splitLines(base);
  const [mineLines, theirLines] = [splitLines(mine), splitLines(theirs)];
  const [left, right] = [diffLines(start, mineLines), diffLines(start, theirLines)];
  const parts: Part[] = [];
  let [l, r, line] = [0, 0, 0];
  while (l < left.length || r < right.length) {
    // Changes that overlap belong together, and additions at one place.
    const from = Math.min(left[l]?.from ?? Infinity, right[r]?.from ?? Infinity);
    let to = from;
    const [firstLeft, firstRight] = [l, r];
    const joins = (change: Change | undefined) => change !== undefined && (change.from < to || change.from === from);
    while (joins(left[l]) || joins(right[r])) {
      if (joins(left[l])) to = Math.max(to, left[l++]?.to ?? 0);
      else to = Math.max(to, right[r++]?.to ?? 0);
    }
    parts.push(start.slice(line, from).join(''));
    const [ours, others] = [left.slice(firstLeft, l), right.slice(firstRight, r)];
    const original = start.slice(from, to).join('');
    const mineText = rewritten(start, mineLines, ours, from, to);
    const theirText = rewritten(start, theirLines, others, from, to);
    if (mineText === theirText || theirText === original) parts.push(mineText);
    else if (mineText === original) parts.push(theirText);
    else parts.push({ line: from + 1, mine: mineText, theirs: theirText });
    line = to;
  }
  parts.push(start.slice(line).join(''));
  return {
    conflicts: parts.filter((part) => typeof part !== 'string'),
    resolve(sides) {
      let index = 0;
      return parts.map((part) => (typeof part === 'string' ? part : part[sides[index++] ?? 'mine'])).join('');
    },
  };
}

/** Lines `from`–`to` after the changes inside them. */
function rewritten(
  start: readonly string[],
  after: readonly string[],
  changes: readonly Change[],
  from: number,
  to: number,
): string {
  let line = from;
  let text = '';
  for (const change of changes) {
    text += start.slice(line, change.from).join('') + after.slice(change.newFrom, change.newTo).join('');
    line = change.to;
  }
  return text + start.slice(line, to).join('');
}
