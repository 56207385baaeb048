import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type {
  AccountStats,
  ApiKeyStats,
  KeyContext,
  ModelStats,
  ModelSubRow,
} from '@manager/core/contract/monitoring/sections';
import { accountToken, rememberAccounts } from '../../../platform/requests/account-names.ts';
import { setListFilter } from '../../../platform/requests/request-filters.ts';
import { addUpSums, type UsageSums, usageSums } from '../../../platform/requests/usage-sums.ts';
import type { MonitoringSearch } from '../monitoring-search.ts';

type Of<K extends string, T> = { readonly kind: K; readonly row: T };

/** The entity of a table row. */
type LineSource =
  | Of<'account', AccountStats | ApiKeyStats>
  | Of<'key', ApiKeyStats>
  | Of<'model', ModelStats | ModelSubRow>
  | Of<'context', KeyContext>
  /** All requests without a client key; by account below. */
  | { readonly kind: 'no key' }
  /** Further models or accounts of the row above, which are not listed. */
  | { readonly kind: 'rest'; readonly of: 'models' | 'accounts'; readonly count: number };

export interface Line extends UsageSums {
  readonly id: string;
  readonly source: LineSource;
  readonly below: readonly Line[];
  /** Filter that leaves exactly the requests of this row; null = none can. */
  readonly filter: ((search: MonitoringSearch) => MonitoringSearch) | null;
}

type Narrow = (search: MonitoringSearch) => MonitoringSearch;

const then = (first: Narrow | null, second: Narrow): Narrow | null =>
  first === null ? null : (search) => second(first(search));

const byModel =
  (model: string): Narrow =>
  (search) =>
    setListFilter(search, 'model', [model]);

/** The filter matches account, label, source or index, and one name may occur with two providers. */
function byIdentity(row: {
  readonly account_snapshot?: string | undefined;
  readonly auth_label_snapshot?: string | undefined;
  readonly auth_provider_snapshot?: string | undefined;
  readonly source?: string | undefined;
  readonly auth_index?: string | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly auth_indices?: readonly string[] | undefined;
}): Narrow | null {
  const name = row.account_snapshot || row.auth_label_snapshot || row.source || row.sources?.[0] || '';
  const indices = row.auth_index ? [row.auth_index] : (row.auth_indices ?? []);
  if (name === '' && indices.length === 0) return null;
  return (search) => {
    const provider = row.auth_provider_snapshot ?? '';
    const base = provider === '' ? search : setListFilter(search, 'provider', [provider]);
    if (name === '') return setListFilter(base, 'auth_index', indices);
    rememberAccounts([name], true);
    return setListFilter(base, 'account', [accountToken(name)]);
  };
}

function modelLines(id: string, models: readonly ModelSubRow[] | undefined, parent: Narrow | null): readonly Line[] {
  return (models ?? []).map((row) => ({
    id: `${id}|model|${row.model}`,
    source: { kind: 'model', row },
    ...usageSums(row),
    // Of the requests that report their input.
    hitRate: row.cache_hit_rate,
    below: [],
    // `-` means none, which no filter finds.
    filter: row.model === '-' ? null : then(parent, byModel(row.model)),
  }));
}

/** The sums of a row without those of its listed parts, where the answer left some out. */
function restLines(
  row: UsageSums & { readonly id: string },
  of: 'models' | 'accounts',
  total: number | undefined,
  listed: readonly Line[],
): readonly Line[] {
  if (total === undefined) return [];
  const sums = addUpSums(listed);
  const without = (name: 'calls' | 'failed' | 'tokens' | 'cost' | 'unpriced') => Math.max(0, row[name] - sums[name]);
  const unlessMissing = (name: 'input' | 'output' | 'cached') => {
    const [whole, part] = [row[name], sums[name]];
    return whole === null || part === null ? null : Math.max(0, whole - part);
  };
  const line: Line = {
    id: `${row.id}|rest|${of}`,
    source: { kind: 'rest', of, count: total - listed.length },
    calls: without('calls'),
    failed: without('failed'),
    tokens: without('tokens'),
    cost: without('cost'),
    unpriced: without('unpriced'),
    input: unlessMissing('input'),
    output: unlessMissing('output'),
    cached: unlessMissing('cached'),
    hitRate: null,
    latencyMs: null,
    lastSeenMs: null,
    below: [],
    filter: null,
  };
  return [line];
}

export function accountLines(answer: AnalyticsResponse): readonly Line[] {
  return (answer.account_stats ?? []).map((row) => {
    const filter = byIdentity(row);
    const sums = { id: row.id, ...usageSums(row) };
    const models = modelLines(row.id, row.models, filter);
    return {
      ...sums,
      source: { kind: 'account', row },
      below: [...models, ...restLines(sums, 'models', row.models_total, models)],
      filter,
    };
  });
}

export function keyLines(answer: AnalyticsResponse): readonly Line[] {
  const rows = answer.api_key_stats ?? [];
  const without = rows.filter((row) => row.api_key_hash === '');
  return [
    ...rows.filter((row) => row.api_key_hash !== '').map(keyLine),
    ...(without.length === 0 ? [] : [lineWithoutKey(without)]),
  ];
}

function keyLine(row: ApiKeyStats): Line {
  const filter: Narrow = (search) => setListFilter(search, 'api_key_hash', [row.api_key_hash]);
  const contexts = (row.contexts ?? []).map((context): Line => {
    const narrow = byIdentity(context);
    return {
      id: `${row.id}|context|${context.id}`,
      source: { kind: 'context', row: context },
      ...usageSums(context),
      below: [],
      filter: narrow === null ? null : then(filter, narrow),
    };
  });
  const sums = { id: row.id, ...usageSums(row) };
  const models = modelLines(row.id, row.models, filter);
  return {
    ...sums,
    source: { kind: 'key', row },
    below: [
      ...models,
      ...restLines(sums, 'models', row.models_total, models),
      ...contexts,
      ...restLines(sums, 'accounts', row.contexts_total, contexts),
    ],
    filter,
  };
}

/** No filter finds requests without a key, so none of these rows leads to its requests. */
function lineWithoutKey(rows: readonly ApiKeyStats[]): Line {
  const accounts = rows.map(
    (row): Line => ({
      id: row.id,
      source: { kind: 'account', row },
      ...usageSums(row),
      below: [],
      filter: null,
    }),
  );
  return { id: 'no key', source: { kind: 'no key' }, ...addUpSums(accounts), below: accounts, filter: null };
}

export function statModelLines(answer: AnalyticsResponse): readonly Line[] {
  return (answer.model_stats ?? []).map((row) => ({
    id: row.model,
    source: { kind: 'model', row },
    ...usageSums(row),
    // Of the requests that report their input.
    hitRate: row.cache_hit_rate,
    below: [],
    filter: row.model === '' ? null : byModel(row.model),
  }));
}
