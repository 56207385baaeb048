import { createWordFinder, type WordKind, type WordWriter } from './word-finder.ts';

/** A stored word. */
export type Word = readonly [text: string, id: number];

/** Words in a thread that does not write: it only uses what the writer has committed, so a rollback never concerns it. */
export interface WordMirror extends WordWriter {
  /** Texts that should become words, since the last call. Until they are, they are written out. */
  takeWanted(): readonly string[];
  /** Wanted words that were committed. */
  learn(words: readonly Word[]): void;
}

interface Wanted {
  readonly hash: number;
  readonly kind: WordKind;
}

export function createWordMirror(): WordMirror {
  /** Since the last `learn`: what is not answered by then is wanted again. */
  const asked = new Map<string, Wanted>();
  let wanted: string[] = [];
  const { find, findTemplate, remember } = createWordFinder((text, hash, kind) => {
    if (!asked.has(text)) {
      asked.set(text, { hash, kind });
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
      return taken;
    },
    learn(words) {
      for (const [text, id] of words) {
        const place = asked.get(text);
        if (place !== undefined) remember(place.kind, place.hash, text, id);
      }
      asked.clear();
    },
  };
}
