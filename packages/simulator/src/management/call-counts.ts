import type { Activity, CallCount } from './activity-types.ts';
import type { CallKind } from './call-kinds.ts';

interface Count {
  total: number;
  inFlight: number;
  maxInFlight: number;
}

/** Number of requests, in total and in parallel. */
export interface CallCounts {
  /** Returns a function that ends the request. */
  begin(kind: CallKind, of: { readonly authIndex: string | null; readonly files: readonly string[] }): () => void;
  activity(): Activity;
  /** Open requests stay counted as in flight. */
  clear(): void;
}

const CHANGES_FILE: ReadonlySet<CallKind> = new Set(['status', 'fields', 'upload', 'delete']);

export function createCallCounts(): CallCounts {
  const byKind = new Map<string, Count>();
  const byAccount = new Map<string, Count>();
  const byFile = new Map<string, Count>();
  return {
    begin(kind, { authIndex, files }) {
      const counts = [countOf(byKind, kind)];
      if (kind === 'api-call') counts.push(countOf(byAccount, authIndex ?? ''));
      if (CHANGES_FILE.has(kind)) for (const name of files) counts.push(countOf(byFile, name));
      for (const count of counts) {
        count.total += 1;
        count.inFlight += 1;
        count.maxInFlight = Math.max(count.maxInFlight, count.inFlight);
      }
      return () => {
        for (const count of counts) count.inFlight -= 1;
      };
    },
    activity: () => ({
      byKind: shown(byKind),
      apiCallsByAccount: shown(byAccount),
      mutationsByFile: shown(byFile),
    }),
    clear() {
      for (const counts of [byKind, byAccount, byFile]) {
        for (const [key, count] of counts) {
          if (count.inFlight === 0) counts.delete(key);
          else Object.assign(count, { total: count.inFlight, maxInFlight: count.inFlight });
        }
      }
    },
  };
}

function countOf(counts: Map<string, Count>, key: string): Count {
  const known = counts.get(key);
  if (known !== undefined) return known;
  const created = { total: 0, inFlight: 0, maxInFlight: 0 };
  counts.set(key, created);
  return created;
}

function shown(counts: ReadonlyMap<string, Count>): Record<string, CallCount> {
  return Object.fromEntries([...counts].map(([key, count]) => [key, { ...count }]));
}
