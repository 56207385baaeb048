import { compareResults } from '@manager/core/accounts/inspection/counts';
import { displayAccountOf, inspectionAccountKey, type ProbedAccount } from '@manager/core/accounts/inspection/result';
import { sampleAccounts } from '@manager/core/accounts/inspection/sample';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';

export interface SelectedAccounts {
  /** In the order of results. */
  readonly accounts: readonly ProbedAccount[];
  /** Accounts of the inspected providers, before sampling. */
  readonly probeSetCount: number;
}

/**
 * The accounts of a run.
 *
 * @param turns time of the last inspection, by account key
 */
export function selectAccounts(
  live: readonly ListedAccount[],
  owned: ReadonlySet<ListedAccount>,
  settings: Pick<InspectionConfig, 'targetTypes' | 'sampleSize'>,
  turns: ReadonlyMap<string, number>,
  random: () => number,
): SelectedAccounts {
  const targets = new Map<string, ListedAccount>();
  const isTarget = new Set<string>(settings.targetTypes);
  for (const account of live) {
    const key = inspectionAccountKey(account);
    // If the gateway lists an index twice, the second result would only replace the first.
    if (isTarget.has(account.provider) && !targets.has(key)) targets.set(key, account);
  }
  const candidates = [...targets]
    .map(([key, account]) => ({
      listed: account,
      provider: account.provider,
      lastInspectedAtMs: turns.get(key) ?? null,
      fileName: account.name,
      displayAccount: displayAccountOf(account),
    }))
    .sort(compareResults);
  const sample = sampleAccounts(candidates, settings.sampleSize, random);
  return {
    accounts: sample.map(({ listed: account }) => ({ listed: account, owned: owned.has(account) })),
    probeSetCount: candidates.length,
  };
}
