import { canonicalName, nameWords, tailName } from './names.ts';

export type SimilarityReason =
  | 'exact-model-id'
  | 'case-insensitive-model-id'
  | 'same-model-with-provider-prefix'
  | 'model-name-contains'
  | 'normalized-model-name'
  | 'normalized-name-contains'
  | 'shared-model-tokens'
  | 'same-model-family'
  | 'similar-model-name'
  | 'weak-similarity';

export interface Similarity {
  /** 0 to 1. */
  readonly score: number;
  readonly reason: SimilarityReason;
}

/** A name with everything that comparisons need, computed once for thousands of comparisons. */
export interface ComparedName {
  readonly text: string;
  readonly lower: string;
  readonly canonical: string;
  readonly tail: string;
  readonly words: ReadonlySet<string>;
}

/** Do not identify a model. */
const EMPTY_WORDS = ['latest', 'preview', 'free', 'models'];
/** Names of one maker's models: a name with one word of a pair gets the other too. */
const SYNONYMS = [
  ['mimo', 'minimax'],
  ['mimo', 'm2'],
  ['mimo', 'm25'],
  ['low', 'lite'],
  ['flashlow', 'flashlite'],
] as const;
const FAMILIES = ['qwen', 'gemini', 'minimax', 'mimo'];

const JACCARD_WEIGHT = 0.86;
const EDIT_WEIGHT = 0.82;
const SHARED_MOST_WORDS = { jaccard: 0.65, score: 0.72 };
const SHARED_SOME_WORDS = { jaccard: 0.4, score: 0.58 };
const FAMILY_SCORE = 0.46;
const SIMILAR_EDIT = 0.68;

export function comparedName(text: string): ComparedName {
  return {
    text,
    lower: text.toLowerCase(),
    canonical: canonicalName(text),
    tail: tailName(text),
    words: wordSet(text),
  };
}

/**
 * How similar ids are to one id: the first rule that applies decides. Catalogues list one model under many providers,
 * so results that depend only on the last part of the id are computed once.
 *
 * @example compareWith(comparedName('acme/chat-2'))(comparedName('other/chat-2')) // 0.94,
 * 'same-model-with-provider-prefix'
 */
export function compareWith(a: ComparedName): (b: ComparedName) => Similarity {
  const edits = new Map<string, number>();

  function editOf(tail: string): number {
    const known = edits.get(tail);
    if (known !== undefined) return known;
    const edit = editSimilarity(a.tail, tail);
    edits.set(tail, edit);
    return edit;
  }

  function compareParts(b: ComparedName): Similarity {
    const byWords = compareWords(a.words, b.words);
    const edit = editOf(b.tail);
    const score = Math.max(byWords.score, EDIT_WEIGHT * edit);
    if (byWords.reason !== 'weak-similarity') return { score, reason: byWords.reason };
    return { score, reason: edit >= SIMILAR_EDIT ? 'similar-model-name' : 'weak-similarity' };
  }

  return (b) => {
    if (a.text === b.text) return { score: 1, reason: 'exact-model-id' };
    if (a.lower === b.lower) return { score: 0.98, reason: 'case-insensitive-model-id' };
    if (a.tail !== '' && a.tail === b.tail) return { score: 0.94, reason: 'same-model-with-provider-prefix' };
    if (oneContains(a.tail, b.tail)) return { score: 0.78, reason: 'model-name-contains' };
    if (a.canonical !== '' && a.canonical === b.canonical) return { score: 0.9, reason: 'normalized-model-name' };
    if (oneContains(a.canonical, b.canonical)) return { score: 0.74, reason: 'normalized-name-contains' };
    return compareParts(b);
  };
}

function compareWords(a: ReadonlySet<string>, b: ReadonlySet<string>): Similarity {
  const jaccard = jaccardIndex(a, b);
  const score = JACCARD_WEIGHT * jaccard;
  if (jaccard >= SHARED_MOST_WORDS.jaccard) {
    return { score: Math.max(score, SHARED_MOST_WORDS.score), reason: 'shared-model-tokens' };
  }
  if (jaccard >= SHARED_SOME_WORDS.jaccard) {
    return { score: Math.max(score, SHARED_SOME_WORDS.score), reason: 'shared-model-tokens' };
  }
  // Without a shared word there is no shared family.
  if (jaccard > 0 && FAMILIES.some((family) => a.has(family) && b.has(family))) {
    return { score: Math.max(score, FAMILY_SCORE), reason: 'same-model-family' };
  }
  return { score, reason: 'weak-similarity' };
}

function oneContains(a: string, b: string): boolean {
  return a !== '' && b !== '' && (a.includes(b) || b.includes(a));
}

function wordSet(text: string): ReadonlySet<string> {
  const words = new Set(nameWords(text));
  for (const word of [...words]) for (const part of word.match(/\p{L}+|\p{N}+/gu) ?? []) words.add(part);
  const known = [...words];
  for (const [left, right] of SYNONYMS) {
    if (known.includes(left)) words.add(right);
    if (known.includes(right)) words.add(left);
  }
  for (const word of EMPTY_WORDS) words.delete(word);
  return words;
}

function jaccardIndex(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

/** 1 − Levenshtein distance / longer length; 0 when one text is empty. */
function editSimilarity(a: string, b: string): number {
  return a === '' || b === '' ? 0 : 1 - levenshtein(a, b) / Math.max(a.length, b.length);
}

function levenshtein(a: string, b: string): number {
  const row = new Uint32Array(b.length + 1);
  for (let column = 1; column <= b.length; column++) row[column] = column;
  for (let line = 1; line <= a.length; line++) {
    const letter = a.charCodeAt(line - 1);
    let diagonal = line - 1;
    row[0] = line;
    for (let column = 1; column <= b.length; column++) {
      const above = row[column] ?? 0;
      const replaced = diagonal + (letter === b.charCodeAt(column - 1) ? 0 : 1);
      row[column] = Math.min(replaced, above + 1, (row[column - 1] ?? 0) + 1);
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}
