import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import type { AccountHistory } from '@manager/core/contract/account-history';
import type { HeaderSnapshotItem } from '@manager/core/contract/header-snapshots';
import type { InspectionResult } from '@manager/core/contract/inspection';
import type { QuotaCooldown } from '@manager/core/contract/quota-cooldowns';
import type { QuotaWindowView } from '@manager/core/contract/quota-snapshots';
import type { Account } from './account.ts';
import { type Availability, accountAvailability } from './availability.ts';
import { type AccountQuota, accountQuota } from './quota.ts';
import { recordsByAccount } from './records.ts';

/** One account with everything that is known of it. */
export interface AccountRow {
  readonly account: Account;
  readonly availability: Availability;
  readonly quota: AccountQuota;
  /** null = not known yet. */
  readonly history: AccountHistory | null;
  /** Pending ones. */
  readonly candidates: readonly AccountActionCandidate[];
  readonly cooldown: QuotaCooldown | null;
  readonly inspection: InspectionResult | null;
  readonly header: HeaderSnapshotItem | null;
  readonly tags: readonly string[];
  readonly plan: string;
  /** Its quota, or all that its state is made of, is still on its way: that is something else than not known. */
  readonly quotaPending: boolean;
  readonly statePending: boolean;
}

/** What was asked beside the list; empty until it has arrived. */
export interface AccountSources {
  readonly history: ReadonlyMap<string, AccountHistory>;
  readonly windows: ReadonlyMap<string, readonly QuotaWindowView[]>;
  readonly cooldowns: readonly QuotaCooldown[];
  readonly candidates: readonly AccountActionCandidate[];
  readonly headers: readonly HeaderSnapshotItem[];
  readonly inspections: readonly InspectionResult[];
  readonly tags: ReadonlyMap<string, readonly string[]>;
  /** Answers that have not arrived yet. */
  readonly pending: { readonly history: boolean; readonly windows: boolean };
}

export function accountRows(
  accounts: readonly Account[],
  sources: AccountSources,
  nowMs: number,
): readonly AccountRow[] {
  const cooldowns = recordsByAccount(accounts, sources.cooldowns, (one) => ({
    authFileName: one.authFileName,
    authIndex: one.authIndex,
    provider: one.provider,
    accountSnapshot: one.accountSnapshot ?? '',
  }));
  const candidates = recordsByAccount(accounts, sources.candidates, (one) => ({
    authFileName: one.authFileName,
    authIndex: one.authIndex ?? '',
    provider: one.provider ?? '',
    accountId: one.accountIdSnapshot ?? '',
    accountSnapshot: one.accountSnapshot ?? '',
  }));
  const headers = recordsByAccount(accounts, sources.headers, (one) => ({
    authFileName: one.auth_file_snapshot ?? '',
    authIndex: one.auth_index ?? '',
    provider: one.auth_provider_snapshot ?? '',
    accountSnapshot: one.account_snapshot ?? '',
  }));
  const inspections = recordsByAccount(accounts, sources.inspections, (one) => ({
    authFileName: one.fileName,
    authIndex: one.authIndex ?? '',
    provider: one.provider,
    accountId: one.accountId ?? '',
    accountSnapshot: one.accountSnapshot ?? '',
  }));
  return accounts.map((account) => {
    const { key, credential } = account;
    const quota = accountQuota(credential.provider, sources.windows.get(key) ?? [], nowMs);
    const history = sources.history.get(key) ?? null;
    const quotaPending = quota.supported && sources.pending.windows && !sources.windows.has(key);
    const facts = {
      account,
      quota,
      requests: history?.recent_requests ?? [],
      candidates: candidates.get(key) ?? [],
      cooldown: cooldowns.get(key)?.[0] ?? null,
      inspection: inspections.get(key)?.[0] ?? null,
      // Newest first.
      header: headers.get(key)?.[0] ?? null,
    };
    return {
      ...facts,
      history,
      availability: accountAvailability(facts, nowMs),
      tags: sources.tags.get(key) ?? [],
      plan: quota.plan || credential.planType,
      quotaPending,
      statePending: quotaPending || (sources.pending.history && history === null),
    };
  });
}
