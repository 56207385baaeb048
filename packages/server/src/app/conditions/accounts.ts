import { accountNameOfKey } from '@manager/core/usage/account-key';
import type { HandledLogin } from '../../features/account-actions/queries/confirmations.ts';
import type { InspectedLogin } from '../../features/inspection/queries/inspected-logins.ts';
import { CONDITION_REASONS, type Condition } from '../../features/notifications/condition.ts';
import type { Store } from '../../workers/store.ts';

type Reader = Pick<Store['reader'], 'run'>;

const NEVER = Number.NEGATIVE_INFINITY;
const MAX_CANDIDATES = 10_000;
const BACKGROUND = { priority: 'background' } as const;

/**
 * Accounts that have to sign in again: from failed requests that were confirmed, and from inspections. Those that are proven to work are `over`;
 * of all others nothing is known, because their evidence was removed or a person closed the entry.
 */
export async function loginConditions(reader: Reader, nowMs: number): Promise<readonly Condition[]> {
  const [{ rows }, handled, inspected] = await Promise.all([
    reader.run('listCandidates', { status: 'pending', limit: MAX_CANDIDATES }, BACKGROUND),
    reader.run('handledLogins', null, BACKGROUND),
    reader.run('inspectedLogins', null, BACKGROUND),
  ]);
  const failed = rows
    .filter(({ actionType, confirmingUntilMs }) => actionType === 'reauth' && confirmingUntilMs === null)
    .map((row) => ({
      subject: subjectOf(row.file, row.authIndex),
      name: row.authLabel || row.accountSnapshot || row.file,
      provider: row.provider,
      sinceMs: row.firstSeenAtMs,
      facts: reasonOf(row.reasonCode),
    }));
  const found = await foundByInspections(reader, inspected, handled, nowMs);
  const works = handled.flatMap(({ file, authIndex, worksSinceMs }) =>
    worksSinceMs === null ? [] : [overSince(subjectOf(file, authIndex), worksSinceMs)],
  );
  // Accounts without an index may share a subject: then one that has to sign in counts.
  const held = found.filter(({ over }) => over !== true);
  return [...new Map([...works, ...found, ...held, ...failed].map((one) => [one.subject, one])).values()];
}

/** What inspections say, unless requests that came later say something else. */
async function foundByInspections(
  reader: Reader,
  inspected: readonly InspectedLogin[],
  handled: readonly HandledLogin[],
  nowMs: number,
): Promise<readonly Condition[]> {
  const accounts = inspected.map(({ fileName: file, provider, authIndex, accountSnapshot }) => ({
    file,
    provider,
    authIndex,
    accountSnapshot,
  }));
  const successes = await reader.run('lastSuccesses', { accounts, nowMs }, BACKGROUND);
  const requests = new Map(handled.map((one) => [subjectOf(one.file, one.authIndex), one]));
  return inspected.flatMap(({ fileName, authIndex, displayAccount, provider, needsLogin, atMs }, index) => {
    const subject = subjectOf(fileName, authIndex);
    const { lastSeenAtMs = NEVER, worksSinceMs = null, goneSinceMs = null } = requests.get(subject) ?? {};
    if (goneSinceMs !== null && goneSinceMs > atMs) return [];
    const workedMs = Math.max(successes[index] ?? NEVER, worksSinceMs ?? NEVER);
    if (workedMs > atMs) return workedMs >= lastSeenAtMs ? [overSince(subject, workedMs)] : [];
    if (needsLogin) return [{ subject, name: displayAccount || fileName, provider, sinceMs: atMs, facts: {} }];
    return atMs > lastSeenAtMs ? [overSince(subject, atMs)] : [];
  });
}

const overSince = (subject: string, sinceMs: number): Condition => ({
  subject,
  name: '',
  provider: '',
  sinceMs,
  facts: {},
  over: true,
});

function reasonOf(code: string): Condition['facts'] {
  const reason = CONDITION_REASONS.find((known) => known === code);
  return reason === undefined ? {} : { reason };
}

const subjectOf = (file: string, authIndex: string): string => JSON.stringify([file, authIndex]);

export interface QuotaConditions {
  readonly low: readonly Condition[];
  readonly usedUp: readonly Condition[];
}

/** Reading the quotas of many accounts takes a part of a second. */
const QUOTAS_EVERY_MS = 120_000;

/**
 * Quota windows with little left, and those of them with nothing left. They are read every two minutes; in between, a window counts until it
 * resets.
 *
 * @returns what holds, to be asked at every observation
 */
export function createQuotaWatch(reader: Reader): (lowPercent: number, nowMs: number) => Promise<QuotaConditions> {
  let last: { readonly atMs: number; readonly lowPercent: number; readonly low: readonly Condition[] } | null = null;

  return async (lowPercent, nowMs) => {
    const isFresh = last?.lowPercent === lowPercent && nowMs >= last.atMs && nowMs - last.atMs < QUOTAS_EVERY_MS;
    if (last === null || !isFresh) last = { atMs: nowMs, lowPercent, low: await lowQuotas(reader, lowPercent, nowMs) };
    const low = last.low.filter(({ facts }) => facts.resetAtMs === undefined || facts.resetAtMs > nowMs);
    return { low, usedUp: low.filter(({ facts }) => facts.leftPercent === 0) };
  };
}

async function lowQuotas(reader: Reader, lowPercent: number, nowMs: number): Promise<readonly Condition[]> {
  const levels = await reader.run('quotaLevels', { below: lowPercent, nowMs }, BACKGROUND);
  return levels.map(({ accountKey, provider, window, leftPercent, durationSeconds, resetAtMs, observedAtMs }) => ({
    subject: JSON.stringify([accountKey, provider, window]),
    name: accountNameOfKey(accountKey),
    provider,
    sinceMs: observedAtMs,
    facts: {
      leftPercent: Math.max(0, leftPercent),
      ...(durationSeconds === null ? {} : { windowSeconds: durationSeconds }),
      ...(resetAtMs === null ? {} : { resetAtMs }),
    },
  }));
}
