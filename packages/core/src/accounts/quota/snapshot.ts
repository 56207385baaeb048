import { SNAPSHOT_LIMITS } from '../../contract/constants.ts';
import { AppError } from '../../contract/errors.ts';
import type {
  QuotaSnapshotsQuery,
  QuotaSnapshotsRequest,
  QuotaSource,
  RemovedWindowRequest,
  SnapshotAccount,
  SnapshotEntryRequest,
  SnapshotWindow,
  SnapshotWindowRequest,
} from '../../contract/quotas/snapshots.ts';
import { trimText, utf8Length } from '../../json/text.ts';
import { accountKey } from '../../usage/account-key.ts';
import { type QuotaProvider, quotaProvider } from '../provider.ts';
import { checkedBoundary } from './boundary.ts';
import { canonicalCodexWindowId, storedCodexScope } from './codex-scope.ts';
import { defaultInventory, type QuotaObservation } from './observation.ts';
import { type SnapshotScope, windowKey, windowKeyOf } from './scope.ts';

function refuse(place: string, problem: string): never {
  throw new AppError('quota_snapshot_invalid', { message: `${place}: ${problem}` });
}

/** One entry of a write, checked. */
export interface SnapshotEntry {
  readonly rowKey: string;
  readonly observation: QuotaObservation;
}

/**
 * Checks and normalises a write beyond its shape.
 *
 * @throws AppError 400 that names the member
 */
export function snapshotEntries(request: QuotaSnapshotsRequest, nowMs: number): readonly SnapshotEntry[] {
  const count = request.entries.reduce((sum, entry) => sum + mutationCount(entry), 0);
  if (count > SNAPSHOT_LIMITS.windows) refuse('entries', `at most ${SNAPSHOT_LIMITS.windows} windows in total`);
  return request.entries.map((entry, index) => {
    const place = `entries.${index}`;
    const named = namedAccount(entry.provider, entry.account, place);
    return { rowKey: trimText(entry.row_key ?? ''), observation: observationOf(entry, named, nowMs, place) };
  });
}

/** One account of a query, checked. */
export interface QueriedAccount extends NamedAccount {
  readonly rowKey: string;
}

/** @throws AppError 400 that names the member */
export function queriedAccounts(query: QuotaSnapshotsQuery): readonly QueriedAccount[] {
  return query.accounts.map(({ row_key, provider, account }, index) => {
    const place = `accounts.${index}`;
    const rowKey = trimText(row_key);
    if (rowKey === '') refuse(`${place}.row_key`, 'missing');
    return { rowKey, ...namedAccount(provider, account, place) };
  });
}

interface NamedAccount {
  readonly accountKey: string;
  readonly provider: QuotaProvider;
}

function namedAccount(provider: string, account: SnapshotAccount, place: string): NamedAccount {
  const known = quotaProvider(provider);
  if (known === null) refuse(`${place}.provider`, 'unsupported provider');
  const key = accountKey({
    account_snapshot: account.account_snapshot ?? '',
    auth_label_snapshot: account.auth_label_snapshot ?? '',
    auth_file_snapshot: account.auth_file_snapshot ?? '',
    auth_provider_snapshot: account.auth_provider_snapshot ?? '',
    auth_project_id_snapshot: account.auth_project_id_snapshot ?? '',
    auth_index: account.auth_index ?? '',
    source: account.source ?? '',
    provider: known,
  });
  if (key === '') refuse(`${place}.account`, 'no member identifies an account');
  return { accountKey: key, provider: known };
}

function mutationCount(entry: SnapshotEntryRequest): number {
  return (entry.windows?.length ?? 0) + (entry.removed_windows?.length ?? 0);
}

/** Members that all windows of an entry share. */
interface Origin {
  readonly source: QuotaSource;
  readonly observationId: string;
  readonly observedAtMs: number;
}

function observationOf(
  entry: SnapshotEntryRequest,
  named: NamedAccount,
  nowMs: number,
  place: string,
): QuotaObservation {
  const windows = entry.windows ?? [];
  const removals = entry.removed_windows ?? [];
  const given = entry.observation ?? null;
  const mode = given?.inventory_mode ?? (given === null ? 'partial' : null);
  if (mode === null) refuse(`${place}.observation.inventory_mode`, 'missing');
  if (removals.length > 0 && mode !== 'delta') refuse(`${place}.removed_windows`, 'only with inventory_mode delta');
  if (windows.length === 0 && mode !== 'complete' && removals.length === 0) refuse(`${place}.windows`, 'missing');
  const scope = trimText(given?.inventory_scope_key ?? '');
  if (given !== null && scope === '') refuse(`${place}.observation.inventory_scope_key`, 'missing');
  const origin = originOf(entry, nowMs, place);
  const checked = windows.map((window, index) =>
    checkedWindow(window, named.provider, origin, `${place}.windows.${index}`),
  );
  const removed = removals.map((removal, index) =>
    removedKey(removal, named.provider, `${place}.removed_windows.${index}`),
  );
  refuseRepeated(checked.map(windowKeyOf), `${place}.windows`);
  refuseRepeated(removed, `${place}.removed_windows`);
  const reported = new Set(checked.map(windowKeyOf));
  const both = removed.findIndex((key) => reported.has(key));
  if (both !== -1) refuse(`${place}.removed_windows.${both}`, 'the window is also reported');
  return {
    ...named,
    ...origin,
    inventoryScope: scope || defaultInventory(named.provider),
    inventoryMode: mode,
    windows: checked,
    removed,
  };
}

function refuseRepeated(keys: readonly string[], place: string): void {
  const repeated = keys.findIndex((key, index) => keys.indexOf(key) !== index);
  if (repeated !== -1) refuse(`${place}.${repeated}`, 'the window is listed twice');
}

/** Missing members of the observation come from the first window. */
function originOf(entry: SnapshotEntryRequest, nowMs: number, place: string): Origin {
  const given = entry.observation ?? entry.windows?.[0] ?? null;
  const at = entry.observation == null ? `${place}.windows.0` : `${place}.observation`;
  const source = given?.source ?? null;
  if (source === null) refuse(`${at}.source`, 'missing');
  const observationId = trimText(given?.source_observation_id ?? '');
  if (utf8Length(observationId) > SNAPSHOT_LIMITS.observationIdBytes) {
    refuse(`${at}.source_observation_id`, `at most ${SNAPSHOT_LIMITS.observationIdBytes} bytes`);
  }
  const stated = given?.observed_at_ms ?? 0;
  if (stated > nowMs + SNAPSHOT_LIMITS.aheadMs) refuse(`${at}.observed_at_ms`, 'must not be in the future');
  return { source, observationId, observedAtMs: stated <= 0 ? nowMs : stated };
}

function requireOrigin(window: SnapshotWindowRequest, origin: Origin, place: string): void {
  if ((window.source ?? origin.source) !== origin.source) refuse(`${place}.source`, 'differs from the observation');
  const observedAtMs = window.observed_at_ms ?? 0;
  if (observedAtMs > 0 && observedAtMs !== origin.observedAtMs) {
    refuse(`${place}.observed_at_ms`, 'differs from the observation');
  }
  const id = trimText(window.source_observation_id ?? '');
  if (id !== '' && id !== origin.observationId) {
    refuse(`${place}.source_observation_id`, 'differs from the observation');
  }
}

/** Trimmed, unique ignoring case, sorted. */
function texts(values: readonly string[] | null | undefined): string[] {
  const byName = new Map<string, string>();
  for (const value of (values ?? []).map(trimText)) {
    const name = value.toLowerCase();
    if (value !== '' && !byName.has(name)) byName.set(name, value);
  }
  return [...byName.values()].sort();
}

/** The id of a window that all sources share. */
function canonicalId(id: string, kind: string, provider: QuotaProvider): string {
  return provider === 'codex' ? canonicalCodexWindowId(id, kind) : trimText(id);
}

function checkedScope(
  given: Pick<SnapshotWindowRequest, 'model_scope_kind' | 'model_scope_key' | 'model_ids'>,
  id: string,
  provider: QuotaProvider,
  place: string,
): SnapshotScope {
  const scope = {
    kind: given.model_scope_kind ?? 'all',
    key: trimText(given.model_scope_key ?? ''),
    models: texts(given.model_ids),
  };
  if (scope.kind === 'models' && scope.models.length === 0) refuse(`${place}.model_ids`, 'missing');
  if (provider !== 'codex' || scope.kind !== 'all') return scope;
  const { kind, key = '', models = [] } = storedCodexScope(id, { kind: 'all', complete: false });
  return { kind, key, models: [...models].sort() };
}

function checkedWindow(
  window: SnapshotWindowRequest,
  provider: QuotaProvider,
  origin: Origin,
  place: string,
): SnapshotWindow {
  requireOrigin(window, origin, place);
  const kind = trimText(window.window_kind ?? '');
  const id = canonicalId(window.provider_window_id, kind, provider);
  if (id === '') refuse(`${place}.provider_window_id`, 'missing');
  const scope = checkedScope(window, id, provider, place);
  const aliases = texts(window.provider_window_aliases);
  const models = scope.models;
  return {
    provider_window_id: id,
    ...given('window_kind', kind),
    window_mode: window.window_mode ?? 'unknown',
    model_scope_kind: scope.kind,
    ...given('model_scope_key', scope.key),
    ...(models.length === 0 ? {} : { model_ids: [...models] }),
    ...(aliases.length === 0 ? {} : { provider_window_aliases: aliases }),
    source: origin.source,
    observed_at_ms: origin.observedAtMs,
    ...given('source_observation_id', origin.observationId),
    boundary_accuracy: window.boundary_accuracy ?? 'unknown',
    ...checkedBoundary(window, place),
    ...given('used_percent', window.used_percent),
    ...given('remaining_percent', window.remaining_percent),
    ...given('used_value', window.used_value),
    ...given('limit_value', window.limit_value),
    ...given('quota_unit', trimText(window.quota_unit ?? '')),
    ...given('reset_credits_available', window.reset_credits_available),
    ...checkedCredits(window, place),
    ...given('plan_type', trimText(window.plan_type ?? '')),
    ...checkedContainer(window, id, provider, place),
  };
}

/** The member unless its value is missing. */
function given<Name extends string, Value extends string | number>(
  name: Name,
  value: Value | null | undefined,
): { readonly [name in Name]?: Value } {
  if (value === null || value === undefined || value === '') return {};
  return { [name]: value } as { readonly [name in Name]: Value };
}

function checkedCredits(window: SnapshotWindowRequest, place: string): Pick<SnapshotWindow, 'reset_credits'> {
  if (window.reset_credits == null) return {};
  const byId = new Map<string, number | null>();
  for (const [index, credit] of window.reset_credits.entries()) {
    const id = trimText(credit.id);
    if (id === '') refuse(`${place}.reset_credits.${index}.id`, 'missing');
    const expiresAtMs = credit.expires_at_ms ?? null;
    const known = byId.get(id);
    if (known !== undefined && known !== expiresAtMs) {
      refuse(`${place}.reset_credits.${index}`, 'the credit is listed with another end');
    }
    byId.set(id, expiresAtMs);
  }
  return { reset_credits: [...byId].map(([id, ms]) => (ms === null ? { id } : { id, expires_at_ms: ms })) };
}

function checkedContainer(
  window: SnapshotWindowRequest,
  id: string,
  provider: QuotaProvider,
  place: string,
): Pick<SnapshotWindow, 'relationship_kind' | 'container_provider_window_id'> {
  const kind = window.relationship_kind ?? null;
  const container = canonicalId(window.container_provider_window_id ?? '', '', provider);
  if (kind === null && container === '') return {};
  if (kind === null) refuse(`${place}.relationship_kind`, 'missing; container_provider_window_id needs it');
  if (container === '') refuse(`${place}.container_provider_window_id`, 'missing; relationship_kind needs it');
  if (container === id) refuse(`${place}.container_provider_window_id`, 'a window must not contain itself');
  return { relationship_kind: kind, container_provider_window_id: container };
}

function removedKey(removal: RemovedWindowRequest, provider: QuotaProvider, place: string): string {
  const kind = trimText(removal.window_kind ?? '');
  const name = trimText(removal.provider_window_id);
  if (name === '') refuse(`${place}.provider_window_id`, 'missing');
  // The second window of a Codex limit may be the weekly or the monthly one.
  if (provider === 'codex' && name.toLowerCase() === 'secondary' && kind === '')
    refuse(`${place}.window_kind`, 'missing');
  const id = canonicalId(name, kind, provider);
  return windowKey(id, checkedScope(removal, id, provider, place));
}
