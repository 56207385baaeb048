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

/** The catalogue entry that a person chose for a model, in place of the automatic match. */
export interface ChosenEntry {
  readonly model: string;
  /** The catalogue. */
  readonly source: string;
  readonly id: string;
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

/** @param chosen models that get the price of this entry and of no other */
export function createSyncPlanner(chosen: readonly ChosenEntry[] = []): SyncPlanner {
  const catalogues: { readonly catalogue: Catalogue; readonly find: (model: string) => Finding }[] = [];
  const chosenByModel = new Map(chosen.map((entry) => [entry.model, entry]));

  function* matchesOf(model: string): Generator<CatalogueEntry> {
    const own = chosenByModel.get(model);
    for (const { catalogue, find } of catalogues) {
      if (own === undefined) {
        const finding = find(model);
        if (finding.kind === 'match') yield finding.entry;
      } else if (catalogue.source === own.source) {
        const entry = catalogue.entries.find(({ id }) => id === own.id);
        if (entry !== undefined) yield entry;
      }
    }
  }

  function choose(model: string): Choice {
    let invalid = 0;
    for (const entry of matchesOf(model)) {
      const checked = checkPrice(model, entry.price);
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
        if (choice.price !== null) matched.push({ model, price: choice.price });
        // The price of a chosen entry that is missing stays.
        else if (!chosenByModel.has(model)) open.push(model);
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
  /** Id of the catalogue entry that a person chose; '' = the match was automatic, or the price is from no catalogue. */
  readonly chosenId: string;
}

/**
 * Stored prices that a sync keeps, sorted: manual ones, those of a chosen entry that was not found, and those whose
 * catalogue is down while only a lower-ranked one has the model. When a catalogue answers without the model, its price
 * is replaced unless a person chose it.
 */
export function preservedModels(
  stored: readonly StoredSource[],
  plan: Pick<SyncPlan, 'models' | 'matched'>,
  failed: readonly string[],
): readonly string[] {
  const asked = plan.models === null ? null : new Set(plan.models);
  const matches = new Map(plan.matched.map(({ model, price }) => [model, price]));
  const isPreserved = ({ model, source, chosenId }: StoredSource) => {
    const match = matches.get(model);
    if (source === MANUAL) return match !== undefined;
    if (asked?.has(model) === false) return false;
    if (chosenId !== '') return match?.source !== source || match.sourceModelId !== chosenId;
    if (!failed.includes(source)) return false;
    return match === undefined || rank(match.source ?? '') > rank(source);
  };
  return stored
    .filter(isPreserved)
    .map(({ model }) => model)
    .sort();
}

const MANUAL = 'manual';

export function isCatalogueSource(source: string): boolean {
  return rank(source) < CATALOGUE_SOURCES.length;
}

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
