import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import type { HeaderSnapshotItem } from '@manager/core/contract/accounts/header-snapshots';
import type { AccountHistory } from '@manager/core/contract/accounts/history';
import type { QuotaCooldown } from '@manager/core/contract/cooldowns';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import type { QuotaWindowView } from '@manager/core/contract/quotas/snapshots';
import type { Account } from './account.ts';
import { type Availability, accountAvailability, type QuotaRefusal } from './availability.ts';
import { bucketOutcomes } from './bucket-outcomes.ts';
import { type AccountQuota, accountQuota } from './quota.ts';
import { type RecentUse, recentBuckets, recentUse } from './recent-buckets.ts';
import { accountIndex, type RecordParts, recordsByAccount } from './records.ts';

/** One account with all data about it. */
export interface AccountRow {
  readonly account: Account;
  readonly availability: Availability;
  readonly quota: AccountQuota;
  /** null = not loaded yet, or no manager keeps it. */
  readonly history: AccountHistory | null;
  /** The gateway's own recent counts; null where a manager knows more. */
  readonly recent: RecentUse | null;
  /** Pending ones. */
  readonly candidates: readonly AccountActionCandidate[];
  readonly cooldown: QuotaCooldown | null;
  readonly inspection: InspectionResult | null;
  readonly header: HeaderSnapshotItem | null;
  readonly tags: readonly string[];
  readonly plan: string;
  /** Why its quota is missing, as opposed to never observed; null = it is loaded. */
  readonly quotaMissing: 'pending' | 'failed' | null;
  /** Data for its state is still loading. */
  readonly statePending: boolean;
}

/** Data loaded besides the list; empty until it has arrived. */
export interface AccountSources {
  readonly history: ReadonlyMap<string, AccountHistory>;
  readonly windows: ReadonlyMap<string, readonly QuotaWindowView[]>;
  readonly cooldowns: readonly QuotaCooldown[];
  readonly candidates: readonly AccountActionCandidate[];
  readonly headers: readonly HeaderSnapshotItem[];
  readonly inspections: readonly InspectionResult[];
  readonly refusals: ReadonlyMap<string, QuotaRefusal>;
  readonly tags: ReadonlyMap<string, readonly string[]>;
  /** Whether there is a manager; without one, requests are those the gateway counted. */
  readonly managed: boolean;
  /** Answers that have not arrived yet. */
  readonly pending: { readonly history: boolean; readonly windows: boolean };
  /** Quota of some accounts could not be loaded. */
  readonly windowsFailed: boolean;
}

type MakeRows = (accounts: readonly Account[], sources: AccountSources, nowMs: number) => readonly AccountRow[];

/** Rows of accounts. Memoized per account: of thousands of rows only the changed ones are rebuilt. */
export function createAccountRows(): MakeRows {
  const index = remembering(accountIndex);
  const recordsOf = <R>(parts: (record: R) => RecordParts) =>
    remembering((accounts: readonly Account[], records: readonly R[]) =>
      recordsByAccount(index(accounts), records, parts),
    );
  const cooldownsOf = recordsOf<QuotaCooldown>((one) => ({
    authFileName: one.authFileName,
    authIndex: one.authIndex,
    provider: one.provider,
    accountSnapshot: one.accountSnapshot ?? '',
  }));
  const candidatesOf = recordsOf<AccountActionCandidate>((one) => ({
    authFileName: one.authFileName,
    authIndex: one.authIndex ?? '',
    provider: one.provider ?? '',
    accountId: one.accountIdSnapshot ?? '',
    accountSnapshot: one.accountSnapshot ?? '',
  }));
  const headersOf = recordsOf<HeaderSnapshotItem>((one) => ({
    authFileName: one.auth_file_snapshot ?? '',
    authIndex: one.auth_index ?? '',
    provider: one.auth_provider_snapshot ?? '',
    accountSnapshot: one.account_snapshot ?? '',
  }));
  const inspectionsOf = recordsOf<InspectionResult>((one) => ({
    authFileName: one.fileName,
    authIndex: one.authIndex ?? '',
    provider: one.provider,
    accountId: one.accountId ?? '',
    accountSnapshot: one.accountSnapshot ?? '',
  }));
  const makers = new WeakMap<Account, typeof rowOf>();
  const makerOf = (account: Account) => {
    const maker = makers.get(account) ?? remembering(rowOf);
    makers.set(account, maker);
    return maker;
  };
  return (accounts, sources, nowMs) => {
    const cooldowns = cooldownsOf(accounts, sources.cooldowns);
    const candidates = candidatesOf(accounts, sources.candidates);
    const headers = headersOf(accounts, sources.headers);
    const inspections = inspectionsOf(accounts, sources.inspections);
    return accounts.map((account) => {
      const { key } = account;
      return makerOf(account)(
        account,
        sources.windows.get(key),
        sources.windows.has(key) ? null : sources.pending.windows ? 'pending' : sources.windowsFailed ? 'failed' : null,
        sources.history.get(key) ?? null,
        sources.pending.history && !sources.history.has(key),
        candidates.get(key) ?? NO_CANDIDATES,
        cooldowns.get(key)?.[0] ?? null,
        inspections.get(key)?.[0] ?? null,
        sources.refusals.get(key) ?? null,
        // Newest first.
        headers.get(key)?.[0] ?? null,
        sources.tags.get(key) ?? NO_TAGS,
        sources.managed,
        nowMs,
      );
    });
  };
}

const NO_WINDOWS: readonly QuotaWindowView[] = [];
const NO_CANDIDATES: readonly AccountActionCandidate[] = [];
const NO_TAGS: readonly string[] = [];

function rowOf(
  account: Account,
  windows: readonly QuotaWindowView[] = NO_WINDOWS,
  windowsMissing: AccountRow['quotaMissing'],
  history: AccountHistory | null,
  historyPending: boolean,
  candidates: readonly AccountActionCandidate[],
  cooldown: QuotaCooldown | null,
  inspection: InspectionResult | null,
  quotaRefusal: QuotaRefusal | null,
  header: HeaderSnapshotItem | null,
  tags: readonly string[],
  managed: boolean,
  nowMs: number,
): AccountRow {
  const { listed } = account;
  const quota = accountQuota(listed.provider, windows, nowMs);
  const quotaMissing = quota.supported ? windowsMissing : null;
  const recent = managed ? null : recentUse([recentBuckets(account.entry)]);
  const requests = recent === null ? (history?.recent_requests ?? []) : bucketOutcomes(recent.buckets, nowMs);
  // Member by member: copying objects takes most of the time with thousands of rows.
  return {
    account,
    availability: accountAvailability(
      { account, quota, requests, candidates, cooldown, inspection, quotaRefusal },
      nowMs,
    ),
    quota,
    history,
    recent,
    candidates,
    cooldown,
    inspection,
    header,
    tags,
    plan: quota.plan || listed.planType,
    quotaMissing,
    statePending: quotaMissing === 'pending' || historyPending,
  };
}

/** Returns the last value while the inputs are the same. */
function remembering<A extends readonly unknown[], V>(make: (...asked: A) => V): (...asked: A) => V {
  let last: { readonly asked: A; readonly value: V } | undefined;
  return (...asked) => {
    if (last === undefined || asked.some((one, index) => one !== last?.asked[index])) {
      last = { asked, value: make(...asked) };
    }
    return last.value;
  };
}
