/** Account that may be inspected. */
export interface SampleCandidate {
  readonly provider: string;
  /** null = never. */
  readonly lastInspectedAtMs: number | null;
}

/**
 * The accounts of a run: the least recently inspected ones per provider, so that every account is inspected in turn;
 * random among equals. The order of the candidates is kept.
 *
 * @param sampleSize per provider, 0 = all
 * @param random gives numbers from 0 up to 1
 */
export function sampleAccounts<Candidate extends SampleCandidate>(
  candidates: readonly Candidate[],
  sampleSize: number,
  random: () => number,
): Candidate[] {
  if (sampleSize <= 0) return [...candidates];
  const taken = new Map<string, number>();
  const chosen = new Set<Candidate>();
  const byTurn = candidates
    .map((candidate) => ({ candidate, at: candidate.lastInspectedAtMs ?? Number.NEGATIVE_INFINITY, lot: random() }))
    .sort((left, right) => (left.at === right.at ? left.lot - right.lot : left.at - right.at));
  for (const { candidate } of byTurn) {
    const count = taken.get(candidate.provider) ?? 0;
    if (count >= sampleSize) continue;
    taken.set(candidate.provider, count + 1);
    chosen.add(candidate);
  }
  return candidates.filter((candidate) => chosen.has(candidate));
}
