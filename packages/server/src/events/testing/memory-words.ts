import type { WordWriter } from '../detail/word-finder.ts';
import type { WordReader } from '../detail/words.ts';

/** Words in memory: either every text becomes one at first sight, or none does. */
export function createMemoryWords(all: boolean): WordReader & WordWriter {
  const ids = new Map<string, number>();
  const texts: string[] = [''];
  function idOf(text: string): number {
    if (!all) return 0;
    const known = ids.get(text);
    if (known !== undefined) return known;
    ids.set(text, texts.length);
    return texts.push(text) - 1;
  }

  return {
    find: (_hash, source, from, to) => idOf(source.slice(from, to)),
    findTemplate: (shape) => idOf(shape.template()),
    textOf(id) {
      const text = texts[id];
      if (text === undefined) throw new Error(`no word ${id}`);
      return text;
    },
  };
}
