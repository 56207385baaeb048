import type { DiffLine } from './review.ts';

/** Ids of the changed lines that look like their counterpart once their secrets are masked. */
export function hiddenChanges(lines: readonly DiffLine[], shown: (text: string) => string): ReadonlySet<number> {
  const changed = lines.filter(({ kind }) => kind !== 'same').map((line) => ({ ...line, shown: shown(line.text) }));
  const hidden = changed.filter((line) => {
    const twins = changed.filter((other) => other.kind !== line.kind && other.shown === line.shown);
    // A line that only moved has a twin of the same text.
    return twins.length > 0 && twins.every((twin) => twin.text !== line.text);
  });
  return new Set(hidden.map(({ id }) => id));
}
