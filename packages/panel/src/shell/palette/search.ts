import type { PaletteItem } from '../../ui/palette-source.ts';

/** Maximum listed of one kind. */
export const MAX_PER_KIND = 8;

const NO_MATCH = 0;

/** How well one text matches one word: from its start, from the start of one of its words, or anywhere. */
function textScore(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at < 0) return NO_MATCH;
  if (at === 0) return 4;
  return /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) ? 2 : 3;
}

/** Every word must match; matches in the label count more than those in the hint. */
function itemScore(item: PaletteItem, words: readonly string[]): number {
  const label = item.label.toLowerCase();
  const others = `${item.detail ?? ''} ${item.words ?? ''}`.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const score = Math.max(textScore(label, word), textScore(others, word) / 4);
    if (score === NO_MATCH) return NO_MATCH;
    sum += score;
  }
  return sum;
}

/** Items that match every word of `text`, best first; equal ones keep their order. */
export function matchItems(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items
    .map((item) => ({ item, score: itemScore(item, words) }))
    .filter(({ score }) => score > NO_MATCH)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
