import { detailWithKeys } from '@manager/core/accounts/inspection/codex/reasons';
import { isAuthFileAnswer } from '@manager/core/accounts/listed-account';
import { isConfirmedMutation } from '@manager/core/accounts/mutation-answer';
import type { HeaderSnapshotsResponse } from '@manager/core/contract/accounts/header-snapshots';
import type { AccountHistoryResponse } from '@manager/core/contract/accounts/history';
import type {
  AccountWindowUsageRequest,
  AccountWindowUsageResponse,
} from '@manager/core/contract/accounts/window-usage';
import {
  ACCOUNT_HISTORY_PATH,
  ACCOUNT_WINDOW_USAGE_PATH,
  HEADER_SNAPSHOTS_PATH,
  MAX_HISTORY_ACCOUNTS,
  QUOTA_COOLDOWNS_PATH,
  QUOTA_SNAPSHOTS_PATH,
  QUOTA_SNAPSHOTS_QUERY_PATH,
} from '@manager/core/contract/constants';
import type { QuotaCooldownsResponse } from '@manager/core/contract/cooldowns';
import type { InspectionResult, InspectionRunDetail, InspectionRunList } from '@manager/core/contract/inspection/runs';
import type {
  QuotaSnapshotsQueryResponse,
  QuotaSnapshotsResponse,
  SnapshotEntryRequest,
} from '@manager/core/contract/quotas/snapshots';
import { listAt } from '../api/answer-list.ts';
import type { Client } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import type { Account } from './account.ts';

/** First part of the query keys of account data. */
export const ACCOUNTS_KEY = 'accounts';
/** One list for every page, read again after each change. */
export const COOLDOWNS_KEY = [ACCOUNTS_KEY, 'cooldowns'];
/** Maximum of one request, for histories and quota windows alike. */
export const BATCH_SIZE = MAX_HISTORY_ACCOUNTS;
const FILES_PATH = 'v0/management/auth-files';
const RUNS_PATH = 'v0/management/codex-inspection/runs';
const CHANGE_TIMEOUT_MS = 60_000;

/** How the manager names an account, also in events. */
export function snapshotsOf({ listed, project }: Account) {
  return {
    auth_file_snapshot: listed.name,
    auth_index: listed.authIndex,
    auth_provider_snapshot: listed.provider,
    auth_project_id_snapshot: project,
    account_snapshot: listed.accountSnapshot,
    auth_label_snapshot: listed.label,
  };
}

/** The auth-file list, through the manager's proxy. */
export async function listFiles(client: Client, signal?: AbortSignal): Promise<unknown> {
  const answer = await client.call<unknown>(FILES_PATH, { signal });
  if (isAuthFileAnswer(answer)) return answer;
  // Read as an empty list, it would say that the gateway has no accounts.
  throw new ApiError('shape', 'the response is not a list', { path: FILES_PATH, atMs: client.now() });
}

export function listHistory(client: Client, accounts: readonly Account[], signal?: AbortSignal) {
  return client.call<AccountHistoryResponse>(ACCOUNT_HISTORY_PATH, {
    method: 'POST',
    body: { accounts: accounts.map((account) => ({ row_key: account.key, ...snapshotsOf(account) })) },
    signal,
  });
}

export function listWindows(client: Client, accounts: readonly Account[], signal?: AbortSignal) {
  return client.call<QuotaSnapshotsQueryResponse>(QUOTA_SNAPSHOTS_QUERY_PATH, {
    method: 'POST',
    body: {
      accounts: accounts.map((account) => ({
        row_key: account.key,
        provider: account.listed.provider,
        account: snapshotsOf(account),
      })),
    },
    signal,
  });
}

export function writeWindows(client: Client, entries: readonly SnapshotEntryRequest[]) {
  return client.call<QuotaSnapshotsResponse>(QUOTA_SNAPSHOTS_PATH, { method: 'POST', body: { entries } });
}

export function windowUsage(client: Client, body: AccountWindowUsageRequest, signal?: AbortSignal) {
  return client.call<AccountWindowUsageResponse>(ACCOUNT_WINDOW_USAGE_PATH, { method: 'POST', body, signal });
}

export function listCooldowns(client: Client, signal?: AbortSignal) {
  return client.call<QuotaCooldownsResponse>(QUOTA_COOLDOWNS_PATH, { signal });
}

export function listHeaders(client: Client, signal?: AbortSignal) {
  return client.call<HeaderSnapshotsResponse>(`${HEADER_SNAPSHOTS_PATH}?days=30&limit=1000`, { signal });
}

export interface LastInspection {
  /** Changes with the run and with actions on its results; '' = no run has completed. */
  readonly version: string;
  readonly results: readonly InspectionResult[];
}

const NO_INSPECTION: LastInspection = { version: '', results: [] };

/**
 * Results of the newest completed inspection. `known` is the previous answer, which is returned again while it is still the
 * newest.
 */
export async function lastInspection(
  client: Client,
  known: LastInspection | undefined,
  signal?: AbortSignal,
): Promise<LastInspection> {
  for (const limit of [10, 200]) {
    const { items } = await client.call<InspectionRunList>(`${RUNS_PATH}?limit=${limit}`, { signal });
    const run = items.find(({ status }) => status === 'completed');
    if (run !== undefined) {
      const version = `${run.id} ${run.updatedAtMs}`;
      if (known?.version === version) return known;
      const detail = await client.call<InspectionRunDetail>(`${RUNS_PATH}/${run.id}`, { signal });
      return { version, results: detailWithKeys(detail).results };
    }
    if (items.length < limit) break;
  }
  return NO_INSPECTION;
}

/** Names of one account as the manager verifies them before a change. */
function identityOf({ listed }: Account) {
  return {
    name: listed.name,
    runtimeId: listed.runtimeId,
    authIndex: listed.authIndex,
    provider: listed.provider,
    accountId: listed.accountIds[0] ?? '',
    accountSnapshot: listed.accountSnapshot,
  };
}

/** What a manager verifies before it forwards a change; a gateway alone has no such headers. */
const guarded = <G>(client: Client, guards: () => G): G | Record<string, never> => (client.managed() ? guards() : {});

/** A header value is ASCII. */
const headerList = (accounts: readonly Account[]) => encodeURIComponent(JSON.stringify(accounts.map(identityOf)));

/** The gateway also answers 200 where it changed only a part or nothing. */
async function change(client: Client, path: string, options: Parameters<Client['open']>[1]): Promise<void> {
  const response = await client.open(path, { timeoutMs: CHANGE_TIMEOUT_MS, ...options });
  if (isConfirmedMutation(await response.text())) return;
  throw new ApiError('status', 'the gateway did not confirm the change', {
    path,
    atMs: Date.now(),
    status: response.status,
    code: 'not_confirmed',
  });
}

/**
 * Enables or disables one account, or all of its file. A manager first checks that it still is the one meant. `members` are the
 * accounts of its file, itself included.
 */
export function switchAccount(client: Client, account: Account, members: readonly Account[], disabled: boolean) {
  const { listed } = account;
  const body =
    account.switchScope === 'source-file'
      ? {
          name: listed.name,
          disabled,
          ...guarded(client, () => ({
            cpamp_source_file: true,
            cpamp_source_identities: members.map((member) => {
              const { name, runtimeId, authIndex, provider, accountId, accountSnapshot } = identityOf(member);
              return {
                name,
                runtime_id: runtimeId,
                auth_index: authIndex,
                provider,
                account_id: accountId,
                account_snapshot: accountSnapshot,
              };
            }),
          })),
        }
      : {
          name: listed.runtimeId || listed.name,
          disabled,
          ...(listed.authIndex === '' ? {} : { auth_index: listed.authIndex }),
          ...guarded(client, () => ({
            cpamp_physical_name: listed.name,
            cpamp_runtime_id: listed.runtimeId,
            cpamp_provider: listed.provider,
            cpamp_account_id: listed.accountIds[0] ?? '',
            cpamp_account_snapshot: listed.accountSnapshot,
          })),
        };
  return change(client, `${FILES_PATH}/status`, { method: 'PATCH', body });
}

export type FieldChanges = Readonly<Record<string, unknown>>;

/** Changes fields of one account's file; all others stay. */
export function changeFields(client: Client, account: Account, fields: FieldChanges): Promise<void> {
  return change(client, `${FILES_PATH}/fields`, {
    method: 'PATCH',
    headers: guarded(client, () => ({ 'X-CPAMP-Auth-File-Mutation-Identity': headerList([account]) })),
    body: { name: account.listed.runtimeId || account.listed.name, ...fields },
  });
}

/** Deletes a file with all its accounts, which must still be those given. */
export function deleteFile(client: Client, file: string, members: readonly Account[]): Promise<void> {
  return change(client, `${FILES_PATH}?name=${encodeURIComponent(file)}`, {
    method: 'DELETE',
    headers: guarded(client, () => ({
      'X-CPAMP-Auth-File-Physical-Name': encodeURIComponent(file),
      'X-CPAMP-Auth-File-Delete-Identities': headerList(members),
    })),
  });
}

/** The file itself; it holds secrets, so callers must keep no more than they need. */
export async function downloadFile(client: Client, file: string, signal?: AbortSignal): Promise<string> {
  const path = `${FILES_PATH}/download?name=${encodeURIComponent(file)}`;
  return (await client.open(path, { timeoutMs: CHANGE_TIMEOUT_MS, signal })).text();
}

/** Stores a file under a name, in place of the one that has it. */
export function uploadFile(client: Client, name: string, content: string): Promise<void> {
  const body = new FormData();
  body.append('file', new File([content], name, { type: 'application/json' }));
  return change(client, FILES_PATH, { method: 'POST', body });
}

/** Clears the gateway's own cooldowns of the account; the provider's quota stays. */
export async function resetGatewayLimits(client: Client, { listed }: Account): Promise<void> {
  await client.call<unknown>('v0/management/reset-quota', {
    method: 'POST',
    body: { auth_index: listed.authIndex },
  });
}

export interface ListedModel {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
}

export async function accountModels(client: Client, { listed }: Account, signal?: AbortSignal) {
  const name = encodeURIComponent(listed.runtimeId || listed.name);
  return modelsIn(await listAt(client, `${FILES_PATH}/models?name=${name}`, 'models', { signal }));
}

/** Models the gateway lists for a provider. */
export async function channelModels(client: Client, channel: string, signal?: AbortSignal) {
  const path = `v0/management/model-definitions/${encodeURIComponent(channel)}`;
  return modelsIn(await listAt(client, path, 'models', { signal }));
}

function modelsIn(list: readonly unknown[]): readonly ListedModel[] {
  return list.flatMap((model: unknown) => {
    if (typeof model !== 'object' || model === null || !('id' in model) || typeof model.id !== 'string') return [];
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    return {
      id: model.id,
      name: text('display_name' in model ? model.display_name : ''),
      owner: text('owned_by' in model ? model.owned_by : ''),
    };
  });
}
