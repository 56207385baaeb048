import type { Credential } from '@manager/core/accounts/credential';
import { compareResults } from '@manager/core/accounts/inspection/counts';
import { displayAccountOf, inspectionAccountKey, type ProbedAccount } from '@manager/core/accounts/inspection/result';
import { sampleAccounts } from '@manager/core/accounts/inspection/sample';
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
  live: readonly Credential[],
  owned: ReadonlySet<Credential>,
  settings: Pick<InspectionConfig, 'targetTypes' | 'sampleSize'>,
  turns: ReadonlyMap<string, number>,
  random: () => number,
): SelectedAccounts {
  const targets = new Map<string, Credential>();
  const isTarget = new Set<string>(settings.targetTypes);
  for (const credential of live) {
    const key = inspectionAccountKey(credential);
    // If the gateway lists an index twice, the second result would only replace the first.
    if (isTarget.has(credential.provider) && !targets.has(key)) targets.set(key, credential);
  }
  const candidates = [...targets]
    .map(([key, credential]) => ({
      credential,
      provider: credential.provider,
      lastInspectedAtMs: turns.get(key) ?? null,
      fileName: credential.name,
      displayAccount: displayAccountOf(credential),
    }))
    .sort(compareResults);
  const sample = sampleAccounts(candidates, settings.sampleSize, random);
  return {
    accounts: sample.map(({ credential }) => ({ credential, owned: owned.has(credential) })),
    probeSetCount: candidates.length,
  };
}
