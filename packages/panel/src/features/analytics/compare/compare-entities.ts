import type { AnalyticsInclude, AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type { ListFilter } from '../../../platform/requests/request-filters.ts';
import { WITHOUT_PARTS } from '../../../platform/requests/row-parts.ts';
import type { CompareMode, ComparePart, RankMeasure, Scope } from '../analytics-search.ts';
import { accountNarrowing, type Narrowing, narrowed } from '../monitoring-search.ts';
import {
  accountRows,
  allChannelRows,
  keyRows,
  modelRow,
  type Naming,
  providerRows,
  ranked,
  type UsageRow,
} from '../usage/usage-rows.ts';
import type { useNaming } from '../usage/use-naming.ts';

/** Sides of a comparison other than a time: a model, a client key, an account. */
export interface Entity {
  readonly value: string;
  readonly label: string;
  readonly narrowing: Narrowing;
}

const NAMED_BY: readonly ListFilter[] = ['model', 'api_key_hash', 'auth_index', 'auth_file', 'account'];

export const ENTITY_INCLUDES: Readonly<Record<CompareMode, AnalyticsInclude | null>> = {
  periods: null,
  models: { model_stats: true },
  keys: { api_key_stats: true, ...WITHOUT_PARTS },
  accounts: { credential_stats: true, ...WITHOUT_PARTS },
};

/** The scope without the filter of an entity. */
export const withoutEntity = (scope: Scope): Scope =>
  narrowed(scope, Object.fromEntries(NAMED_BY.map((name) => [name, []])));

/** Largest first, so that the first two are the initial comparison. */
export function entitiesOf(
  mode: CompareMode,
  answer: AnalyticsResponse,
  naming: ReturnType<typeof useNaming>,
  by: RankMeasure,
): readonly Entity[] {
  const entities = <R extends UsageRow>(rows: readonly R[], narrowing: (row: R) => Narrowing): readonly Entity[] =>
    ranked(rows, by).flatMap((row) => {
      const own = narrowing(row);
      if (Object.keys(own).length === 0) return [];
      const label = row.detail === '' ? row.name : `${row.name} · ${row.detail}`;
      return [{ value: JSON.stringify(own), label, narrowing: own }];
    });
  if (mode === 'models')
    return entities((answer.model_stats ?? []).map(modelRow), (row) => ({ model: [row.plainName] }));
  if (mode === 'keys') {
    const rows = keyRows(answer.api_key_stats ?? [], naming).filter(({ hash }) => hash !== '');
    return entities(rows, (row) => ({ api_key_hash: [row.hash] }));
  }
  if (mode === 'accounts') {
    return unique(entities(accountRows(answer.credential_stats ?? [], naming), (row) => accountNarrowing(row.stats)));
  }
  return [];
}

/** Two rows with the same filter cannot be distinguished. */
const unique = (entities: readonly Entity[]): readonly Entity[] =>
  entities.filter((one, index) => entities.findIndex(({ value }) => value === one.value) === index);

/** The entity that a scope names, null = none. */
export function entityIn(scope: Scope): Narrowing | null {
  for (const name of NAMED_BY) {
    const values = scope.lists[name];
    if (values.length > 0) return { [name]: values };
  }
  return null;
}

export const entityValue = (narrowing: Narrowing): string => JSON.stringify(narrowing);

/** The rows of one side by one dimension; in each they add up to all of its requests. */
export function partRows(
  part: ComparePart,
  { model_stats = [], api_key_stats = [], channel_share = [] }: AnalyticsResponse,
  naming: Naming,
): readonly UsageRow[] {
  if (part === 'models') return model_stats.map(modelRow);
  if (part === 'keys') return keyRows(api_key_stats, naming);
  return part === 'accounts' ? allChannelRows(channel_share, naming) : providerRows(channel_share, naming.noAccount);
}
