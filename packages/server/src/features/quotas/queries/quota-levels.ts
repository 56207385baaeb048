import type { QuotaProvider } from '@manager/core/accounts/provider';
import { isMainWindow, percentLeft } from '@manager/core/accounts/quota/percent-left';
import { windowKeyOf } from '@manager/core/accounts/quota/scope';
import type { ReaderContext } from '../../../sqlite/contexts.ts';
import { readWindows } from './read-windows.ts';

/** How much of a quota window is left. */
export interface QuotaLevel {
  readonly accountKey: string;
  readonly provider: string;
  /** Within the account. */
  readonly window: string;
  readonly leftPercent: number;
  readonly durationSeconds: number | null;
  readonly resetAtMs: number | null;
  readonly observedAtMs: number;
}

/** Without a known reset, an older observation says nothing about now. */
const OLD_AFTER_MS = 86_400_000;

/** Read operation: current windows with less left than some percent, of all accounts. */
export function quotaLevels(
  { db }: ReaderContext,
  { below, nowMs }: { readonly below: number; readonly nowMs: number },
): QuotaLevel[] {
  const accounts = db
    .query<{ account_key: string; provider: string }, []>(
      'SELECT account_key, provider FROM quota_accounts WHERE still_wanted() ORDER BY account_key, provider',
    )
    .all();
  return db.transaction(() =>
    accounts.flatMap(({ account_key: accountKey, provider }) => {
      // Only these are stored.
      const name = { accountKey, provider: provider as QuotaProvider };
      return readWindows(db, name, { nowMs, includeInactive: false }).flatMap((window): QuotaLevel[] => {
        const leftPercent = percentLeft(window);
        const resetAtMs = window.current_cycle?.scheduled_end_ms ?? window.cycle_end_ms ?? null;
        if (window.stale || leftPercent === null || leftPercent >= below || !isMainWindow(window)) return [];
        if (resetAtMs === null ? nowMs - window.observed_at_ms > OLD_AFTER_MS : resetAtMs <= nowMs) return [];
        return [
          {
            accountKey,
            provider,
            window: windowKeyOf(window),
            leftPercent,
            durationSeconds: window.duration_seconds ?? null,
            resetAtMs,
            observedAtMs: window.observed_at_ms,
          },
        ];
      });
    }),
  )();
}
