import type { ModelPrice } from '../price.ts';
import { checkPrice } from '../validate.ts';
import type { Catalogue, CatalogueEntry } from './catalogue.ts';
import { type ComparedName, comparedName, compareWith, type Similarity, type SimilarityReason } from './similarity.ts';

export interface Candidate {
  readonly sourceModelId: string;
  /** 0 to 1, two decimals. */
  readonly score: number;
  readonly reason: SimilarityReason;
  readonly price: ModelPrice;
}

const MAX_PER_SOURCE = 8;
const MIN_SCORE = 0.55;
const MIN_FAMILY_SCORE = 0.34;
/** An id without its provider cannot prove that the model is the same. */
const MAX_ALIAS_SCORE = 0.94;

interface ComparedEntry {
  readonly entry: CatalogueEntry;
  readonly id: ComparedName;
  readonly alias: ComparedName | null;
  /** Sold by its maker, not by a reseller. */
  readonly official: boolean;
}

interface Scored extends Similarity {
  readonly compared: ComparedEntry;
}

/** Finds the catalogue entries that may be a model. `among` limits the search to equally good entries. */
export type CandidateSearch = (model: string, among?: readonly CatalogueEntry[]) => readonly Candidate[];

export function createCandidateSearch(catalogue: Catalogue): CandidateSearch {
  const canonicalIds = new Set((catalogue.canonicalIds ?? []).map((id) => id.toLowerCase()));
  const compared = new Map(
    catalogue.entries.map((entry): [CatalogueEntry, ComparedEntry] => {
      const alias = entry.alias === '' ? null : comparedName(entry.alias);
      const official = canonicalIds.has(entry.id.toLowerCase());
      return [entry, { entry, id: comparedName(entry.id), alias, official }];
    }),
  );
  return (model, among) => {
    const compare = compareWith(comparedName(model));
    const searched = among === undefined ? compared.values() : among.flatMap((entry) => compared.get(entry) ?? []);
    const scored: Scored[] = [];
    for (const one of searched) {
      const similarity = bestIdentity(compare, one);
      if (isKept(similarity)) scored.push({ ...similarity, compared: one });
    }
    return scored.sort(bestFirst).flatMap(toCandidate).slice(0, MAX_PER_SOURCE);
  };
}

function bestIdentity(compare: (name: ComparedName) => Similarity, { id, alias }: ComparedEntry): Similarity {
  const direct = compare(id);
  if (alias === null || direct.score >= MAX_ALIAS_SCORE) return direct;
  const byAlias = compare(alias);
  const score = Math.min(byAlias.score, MAX_ALIAS_SCORE);
  return score > direct.score ? { score, reason: byAlias.reason } : direct;
}

function isKept({ score, reason }: Similarity): boolean {
  return score >= MIN_SCORE || (reason === 'same-model-family' && score >= MIN_FAMILY_SCORE);
}

function bestFirst(a: Scored, b: Scored): number {
  return (
    Number(b.compared.official) - Number(a.compared.official) ||
    b.score - a.score ||
    (a.compared.entry.id < b.compared.entry.id ? -1 : 1)
  );
}

/** Empty for a price that could not be saved. */
function toCandidate({ score, reason, compared: { entry } }: Scored): readonly Candidate[] {
  const checked = checkPrice(entry.id, entry.price);
  if (checked.kind === 'invalid') return [];
  return [{ sourceModelId: entry.id, score: Math.round(score * 100) / 100, reason, price: checked.price }];
}
