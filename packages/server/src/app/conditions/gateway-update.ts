import { compareReleases } from '@manager/core/versions';
import type { Condition } from '../../features/notifications/condition.ts';
import type { GatewayReleases } from '../../gateway/management-client.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * A release of the gateway that is newer than the one that runs. The gateway asks its release server: once a day, and an hour after a
 * failure.
 *
 * @param releases null without a connection
 * @returns what holds, to be asked at every observation; null = unknown
 */
export function createGatewayUpdateWatch(
  releases: () => Promise<GatewayReleases | null>,
): (nowMs: number) => Promise<readonly Condition[] | null> {
  let nextMs = Number.NEGATIVE_INFINITY;
  let askedMs = Number.NEGATIVE_INFINITY;
  let known: readonly Condition[] | null = null;

  return async (nowMs) => {
    if (nowMs >= askedMs && nowMs < nextMs) return known;
    askedMs = nowMs;
    nextMs = nowMs + HOUR_MS;
    known = null;
    // A gateway without internet access is no fault of the manager: the next attempt may know more.
    const found = await releases().catch(() => null);
    if (found === null || found.newest === '' || found.running === '') return null;
    nextMs = nowMs + DAY_MS;
    known = compareReleases(found.running, found.newest) < 0 ? [conditionOf(found, nowMs)] : [];
    return known;
  };
}

function conditionOf({ running, newest }: GatewayReleases, nowMs: number): Condition {
  return { subject: newest, name: newest, provider: '', sinceMs: nowMs, facts: { running } };
}
