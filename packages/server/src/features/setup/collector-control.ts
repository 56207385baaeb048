import { isDeepStrictEqual } from 'node:util';
import type { Collector, CollectorTarget } from '../../gateway/collector.ts';

/** Keeps the collector at what the settings say. */
export interface CollectorControl {
  /**
   * Starts, restarts or stops the collector where needed: a run with the right values that works is left alone, one that
   * waits after an error is begun anew.
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

/** What a run is made of; the query limit only concerns readers. */
function runtimeValues(target: CollectorTarget | null): unknown {
  if (target === null) return null;
  const { queryLimit: _, ...settings } = target.settings;
  return { ...target.connection, ...settings };
}
