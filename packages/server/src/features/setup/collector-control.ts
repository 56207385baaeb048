import { isDeepStrictEqual } from 'node:util';
import type { Collector, CollectorTarget } from '../../gateway/collector.ts';

/** Keeps the collector in line with the settings. */
export interface CollectorControl {
  /**
   * Starts, restarts or stops the collector as needed: a working run with the right values continues, one that waits after an
   * error is restarted.
   */
  apply(options?: { readonly restart?: boolean }): Promise<void>;
}

export function createCollectorControl(deps: {
  readonly collector: Collector;
  /** null = stay stopped. */
  readonly target: () => CollectorTarget | null;
}): CollectorControl {
  let current: CollectorTarget | null = null;

  return {
    async apply({ restart = false } = {}) {
      const next = deps.target();
      if (next === null) {
        current = null;
        return deps.collector.stop();
      }
      const works = current !== null && deps.collector.active() && deps.collector.status().collector !== 'error';
      if (works && !restart && isDeepStrictEqual(runtimeValues(current), runtimeValues(next))) return;
      current = next;
      await deps.collector.start(next);
    },
  };
}

/** The values of a run; the query limit only concerns readers. */
function runtimeValues(target: CollectorTarget | null): unknown {
  if (target === null) return null;
  const { queryLimit: _, ...settings } = target.settings;
  return { ...target.connection, ...settings };
}
