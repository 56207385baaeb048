import type { ModelPrice } from '../price.ts';
import { checkPrice } from '../validate.ts';
import { createFinder, type Finding } from './automatic-match.ts';
import { type Candidate, createCandidateSearch } from './candidates.ts';
import { CATALOGUE_SOURCES, type Catalogue, type CatalogueEntry } from './catalogue.ts';

export interface ChosenPrice {
  readonly model: string;
  readonly price: ModelPrice;
}

/** What a sync would store, and what the operator has to decide. */
export interface SyncPlan {
  /** The requested models; null = all of the catalogues. */
  readonly models: readonly string[] | null;
  readonly matched: readonly ChosenPrice[];
  readonly candidates: readonly { readonly model: string; readonly candidates: readonly Candidate[] }[];
  readonly unmatched: readonly string[];
  /** Prices that matched but cannot be stored, such as a rate below 0. */
  readonly invalid: number;
}

interface Choice {
  readonly price: ModelPrice | null;
  readonly invalid: number;
}

/** Collects the catalogues in order and looks up models in all of them. */
export interface SyncPlanner {
  add(catalogue: Catalogue): void;
  /** Whether all these models have a price, so that no later catalogue is needed. */
  isComplete(models: readonly string[]): boolean;
  /** `checkStopped` throws when nobody waits for the plan any more; it is called between models. */
  plan(models: readonly string[] | null, checkStopped: () => void): SyncPlan;
}

export function createSyncPlanner(): SyncPlanner {
  const catalogues: { readonly catalogue: Catalogue; readonly find: (model: string) => Finding }[] = [];

  function choose(model: string): Choice {
    let invalid = 0;
    for (const { find } of catalogues) {
      const finding = find(model);
      if (finding.kind !== 'match') continue;
      const checked = checkPrice(model, finding.entry.price);
      if (checked.kind === 'valid') return { price: checked.price, invalid };
      invalid++;
    }
    return { price: null, invalid };
  }

  function createSuggestions(): (model: string) => readonly Candidate[] {
    const searches = catalogues.map(({ catalogue, find }) => ({ find, search: createCandidateSearch(catalogue) }));
    return (model) =>
      searches.flatMap(({ find, search }) => {
        const among = entriesOf(find(model));
        return among.length === 0 ? search(model) : search(model, among);
      });
  }

  return {
    add(catalogue) {
      catalogues.push({ catalogue, find: createFinder(catalogue) });
    },
    isComplete: (models) => models.every((model) => choose(model).price !== null),
    plan(models, checkStopped) {
      const matched: ChosenPrice[] = [];
      const open: string[] = [];
      let invalid = 0;
      for (const model of models ?? everyModel(catalogues.map(({ catalogue }) => catalogue))) {
        const choice = choose(model);
        invalid += choice.invalid;
        if (choice.price === null) open.push(model);
        else matched.push({ model, price: choice.price });
      }
      if (models === null) return { models, matched, candidates: [], unmatched: [], invalid };

      const suggest = createSuggestions();
      const searched = open.map((model) => {
        checkStopped();
        return { model, candidates: suggest(model) };
      });
      return {
        models,
        matched,
        candidates: searched.filter(({ candidates }) => candidates.length > 0),
        unmatched: searched.filter(({ candidates }) => candidates.length === 0).map(({ model }) => model),
        invalid,
      };
    },
  };
}

/** The current price of a model. */
export interface StoredSource {
  readonly model: string;
  readonly source: string;
}

/**
 * Stored prices that a sync keeps, sorted: manual ones, and those whose catalogue is down while only a lower-ranked one
 * has the model. When a catalogue answers without the model, its price is replaced.
 */
export function preservedModels(
  stored: readonly StoredSource[],
  plan: Pick<SyncPlan, 'models' | 'matched'>,
  failed: readonly string[],
): readonly string[] {
  const asked = plan.models === null ? null : new Set(plan.models);
  const chosen = new Map(plan.matched.map(({ model, price }) => [model, price.source ?? '']));
  const isPreserved = ({ model, source }: StoredSource) => {
    const chosenSource = chosen.get(model);
    if (source === MANUAL) return chosenSource !== undefined;
    if (!failed.includes(source) || asked?.has(model) === false) return false;
    return chosenSource === undefined || rank(chosenSource) > rank(source);
  };
  return stored
    .filter(isPreserved)
    .map(({ model }) => model)
    .sort();
}

const MANUAL = 'manual';

function rank(source: string): number {
  const index = (CATALOGUE_SOURCES as readonly string[]).indexOf(source);
  return index < 0 ? CATALOGUE_SOURCES.length : index;
}

function everyModel(catalogues: readonly Catalogue[]): ReadonlySet<string> {
  const names = catalogues.flatMap(({ entries }) => entries.map(({ id, alias }) => (alias === '' ? id : alias).trim()));
  return new Set(names.filter((name) => name !== ''));
}

function entriesOf(finding: Finding): readonly CatalogueEntry[] {
  switch (finding.kind) {
    case 'match':
      return [finding.entry];
    case 'several':
      return finding.entries;
    case 'none':
      return [];
  }
}
