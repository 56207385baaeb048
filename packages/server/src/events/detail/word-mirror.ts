import { createWordFinder, type WordKind, type WordWriter } from './word-finder.ts';

/** A stored word. */
export type Word = readonly [text: string, id: number];

/** Words in a thread that does not write: it only uses what the writer has committed, so a rollback never concerns it. */
export interface WordMirror extends WordWriter {
  /** Texts that should become words, since the last call. Until they are, they are written out. */
  takeWanted(): readonly string[];
  /**
   * Wanted words that were committed.
   *
   * @param open how many of the latest takes may still be answered: what they want is not wanted again
   */
  learn(words: readonly Word[], open?: number): void;
}

interface Wanted {
  readonly hash: number;
  readonly kind: WordKind;
  /** Number of the take that wants it. */
  readonly take: number;
}

export function createWordMirror(): WordMirror {
  /** What is not answered in time is wanted again. */
  const asked = new Map<string, Wanted>();
  let takes = 0;
  let wanted: string[] = [];
  const { find, findTemplate, remember } = createWordFinder((text, hash, kind) => {
    if (!asked.has(text)) {
      asked.set(text, { hash, kind, take: takes });
      wanted.push(text);
    }
    return 0;
  });
  return {
    find,
    findTemplate,
    takeWanted() {
      const taken = wanted;
      wanted = [];
      takes += 1;
      return taken;
    },
    learn(words, open = 0) {
      for (const [text, id] of words) {
        const place = asked.get(text);
        if (place === undefined) continue;
        remember(place.kind, place.hash, text, id);
        asked.delete(text);
      }
      for (const [text, { take }] of asked) if (take < takes - open) asked.delete(text);
    },
  };
}
