import { type QuotaProvider, quotaProvider } from '@manager/core/accounts/provider';
import type { SnapshotEntryRequest } from '@manager/core/contract/quotas/snapshots';
import type { Account } from '../../../platform/accounts/account.ts';
import { snapshotsOf } from '../../../platform/accounts/account-calls.ts';
import { askAntigravity } from './antigravity.ts';
import type { Ask } from './ask.ts';
import { askClaude } from './claude.ts';
import { askCodex } from './codex.ts';
import { askKimi } from './kimi.ts';
import { type ObservedQuota, QuotaError } from './observed-windows.ts';
import { askXai } from './xai.ts';

const PROVIDERS: Readonly<
  Record<QuotaProvider, (ask: Ask, account: Account, nowMs: () => number) => Promise<ObservedQuota>>
> = { codex: askCodex, claude: askClaude, antigravity: askAntigravity, kimi: askKimi, xai: askXai };

/** Whether the provider of an account can be asked for its quota; without an `auth_index` the gateway finds no token. */
export function canAskQuota({ listed }: Account): boolean {
  return quotaProvider(listed.provider) !== null && listed.authIndex !== '';
}

/**
 * Requests the quota of one account from its provider, in the form the manager stores; null when the provider cannot be
 * asked. `observationId` is unique per request.
 *
 * @throws QuotaError when the answer has no quota
 */
export async function askQuota(
  ask: Ask,
  account: Account,
  nowMs: () => number,
  observationId: string,
): Promise<SnapshotEntryRequest | null> {
  const provider = quotaProvider(account.listed.provider);
  if (provider === null) return null;
  const { windows, complete } = await PROVIDERS[provider](ask, account, nowMs);
  // Nothing is stored: it could only look like a refresh.
  if (windows.length === 0 && !complete) throw new QuotaError('', 200);
  return {
    row_key: account.key,
    provider,
    account: snapshotsOf(account),
    observation: {
      source: 'api_query',
      source_observation_id: observationId,
      observed_at_ms: Math.floor(nowMs()),
      inventory_scope_key: provider === 'codex' ? 'codex:rate-limits' : `${provider}:quota-windows`,
      inventory_mode: complete ? 'complete' : 'partial',
    },
    windows: [...windows],
  };
}
