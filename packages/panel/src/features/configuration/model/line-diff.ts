/** Lines `from`–`to` (end exclusive) of the first text are replaced by lines `newFrom`–`newTo` of the second. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Texts with more differing lines are shown as one change: the search costs the square of it. */
const MAX_DISTANCE = 2_000;

/** With their line breaks, so that joining them gives the text again. */
export function splitLines(text: string): string[] {
  return text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** The fewest changes that turn one list of lines into another (E. W. Myers, 1986). */
export function diffLines(before: readonly string[], after: readonly string[]): Change[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const limit = Math.min(before.length, after.length) - head;
  while (tail < limit && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const left = before.slice(head, before.length - tail);
  const right = after.slice(head, after.length - tail);
  if (left.length + right.length === 0) return [];
  return pairsToChanges(matches(left, right), left.length, right.length).map(({ from, to, newFrom, newTo }) => ({
    from: from + head,
    to: to + head,
    newFrom: newFrom + head,
    newTo: newTo + head,
  }));
}

/** Pairs of equal lines, in order. */
function matches(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const max = Math.min(left.length + right.length, MAX_DISTANCE);
  const trace: Int32Array[] = [];
  const furthest = new Int32Array(2 * max + 3);
  const middle = max + 1;
  for (let distance = 0; distance <= max; distance++) {
    trace.push(furthest.slice(middle - distance - 1, middle + distance + 2));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const down =
        diagonal === -distance ||
        (diagonal !== distance && at(furthest, middle + diagonal - 1) < at(furthest, middle + diagonal + 1));
      let x = down ? at(furthest, middle + diagonal + 1) : at(furthest, middle + diagonal - 1) + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++;
      furthest[middle + diagonal] = x;
      if (x >= left.length && x - diagonal >= right.length) return walkBack(trace, left.length, right.length, distance);
    }
  }
  return [];
}

function walkBack(
  trace: readonly Int32Array[],
  width: number,
  height: number,
  end: number,
): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let x = width;
  let y = height;
  for (let distance = end; distance >= 0; distance--) {
    // Entry 0 of a trace is diagonal -distance - 1.
    const known = trace[distance] ?? new Int32Array();
    const reached = (diagonal: number) => at(known, diagonal + distance + 1);
    const diagonal = x - y;
    const down = diagonal === -distance || (diagonal !== distance && reached(diagonal - 1) < reached(diagonal + 1));
    const from = down ? diagonal + 1 : diagonal - 1;
    const beforeX = distance === 0 ? 0 : reached(from);
    const beforeY = distance === 0 ? 0 : beforeX - from;
    const stopX = distance === 0 ? 0 : down ? beforeX : beforeX + 1;
    const stopY = distance === 0 ? 0 : down ? beforeY + 1 : beforeY;
    while (x > stopX && y > stopY) {
      x--;
      y--;
      pairs.push([x, y]);
    }
    x = beforeX;
    y = beforeY;
  }
  return pairs.reverse();
}

function at(list: Int32Array, index: number): number {
  return list[index] ?? 0;
}

function pairsToChanges(pairs: readonly (readonly [number, number])[], width: number, height: number): Change[] {
  const changes: Change[] = [];
  let [from, newFrom] = [0, 0];
  for (const [x, y] of [...pairs, [width, height] as const]) {
    if (x > from || y > newFrom) changes.push({ from, to: x, newFrom, newTo: y });
    from = x + 1;
    newFrom = y + 1;
  }
  return changes;
}
