import { useCallback, useEffect, useRef } from 'react';
import { isDue, nextRefreshDelay, overdue, type RefreshSituation } from './refresh-policy.ts';

/** One request of the page. Each has its own answer, age and failures. */
export interface RefreshPart {
  /** Sends it, unless it is in flight. */
  readonly refresh: () => void;
  /** Time of its last request, ms. */
  readonly startedMs: () => number;
  /** Consecutive ones. */
  readonly failures: () => number;
}

/**
 * Refreshes all parts of the page at the same moment, so that their numbers agree; not while the tab is hidden. When `key`
 * changes, the parts load themselves and the delay restarts. Returns the manual refresh.
 */
export function useMonitoringRefresh(options: {
  readonly key: string;
  readonly parts: readonly RefreshPart[];
  readonly intervalMs: number;
  readonly paused: boolean;
}): () => void {
  const parts = useRef(options.parts);
  useEffect(() => {
    parts.current = options.parts;
  });
  const lastMs = useRef(0);
  const plan = useRef<() => void>(() => {});
  const { key, intervalMs, paused } = options;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new question.
  useEffect(() => {
    lastMs.current = Date.now();
  }, [key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new question.
  useEffect(() => {
    const situation = (): RefreshSituation => ({ intervalMs, paused, hidden: document.hidden });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      const nowMs = Date.now();
      lastMs.current = nowMs;
      for (const part of parts.current) {
        if (isDue(intervalMs, part.failures(), nowMs - part.startedMs())) part.refresh();
      }
      planNext();
    };
    const planNext = () => {
      clearTimeout(timer);
      const delay = nextRefreshDelay(situation(), Math.random());
      if (delay !== null) timer = setTimeout(refresh, delay);
    };
    const onVisible = () => {
      if (overdue(situation(), Date.now() - lastMs.current)) refresh();
      else planNext();
    };
    plan.current = planNext;
    planNext();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [key, intervalMs, paused]);

  return useCallback(() => {
    lastMs.current = Date.now();
    for (const part of parts.current) part.refresh();
    plan.current();
  }, []);
}
