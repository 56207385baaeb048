import type { AnalyticsRequest, EventsPage } from '@manager/core/contract/monitoring/analytics';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { ApiError } from '../../../platform/api/errors.ts';
import { useServices } from '../../../platform/api/services.ts';
import type { RefreshPart } from '../use-monitoring-refresh.ts';
import {
  appendOlder,
  type Cursor,
  EMPTY_LIST,
  type EventList,
  loadedCount,
  mergeNewest,
  newHashes,
  PAGE_SIZE,
  trimBefore,
} from './event-list.ts';

export type EventsQuery = Omit<AnalyticsRequest, 'include'>;
export type BuildQuery = () => Promise<EventsQuery>;

interface State {
  readonly key: string;
  readonly list: EventList;
  /** Newest page, held back until the reader wants it. */
  readonly pending: EventsPage | null;
  readonly pendingCount: number;
  readonly fresh: ReadonlySet<string>;
  readonly loaded: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly failures: number;
  /** Time of the last successful answer, ms. */
  readonly atMs: number | null;
  readonly olderBusy: number | null;
  readonly olderError: unknown;
}

type Action =
  | { readonly type: 'reset'; readonly key: string }
  | { readonly type: 'start'; readonly key: string }
  | {
      readonly type: 'newest';
      readonly key: string;
      readonly page: EventsPage;
      readonly fromMs: number;
      readonly atMs: number;
      readonly hold: boolean;
    }
  | { readonly type: 'failed'; readonly key: string; readonly error: unknown }
  | { readonly type: 'show' }
  | { readonly type: 'settled' }
  | { readonly type: 'older'; readonly key: string; readonly segment: number }
  | { readonly type: 'olderDone'; readonly key: string; readonly segment: number; readonly page: EventsPage }
  | { readonly type: 'olderFailed'; readonly key: string; readonly error: unknown };

const NONE: ReadonlySet<string> = new Set();

function initial(key: string): State {
  return {
    key,
    list: EMPTY_LIST,
    pending: null,
    pendingCount: 0,
    fresh: NONE,
    loaded: false,
    busy: false,
    error: null,
    failures: 0,
    atMs: null,
    olderBusy: null,
    olderError: null,
  };
}

function takeNewest(state: State, action: Extract<Action, { type: 'newest' }>): State {
  const merged = trimBefore(mergeNewest(state.list, action.page), action.fromMs);
  const fresh = state.loaded ? newHashes(state.list, merged) : NONE;
  const done = { ...state, busy: false, loaded: true, error: null, failures: 0, atMs: action.atMs };
  if (action.hold && fresh.size > 0) {
    const list = { ...state.list, total: action.page.total_count };
    return { ...done, list, pending: action.page, pendingCount: fresh.size };
  }
  return { ...done, list: merged, pending: null, pendingCount: 0, fresh };
}

function reduce(state: State, action: Action): State {
  // An answer to an earlier question must not change the present rows.
  if ('key' in action && action.type !== 'reset' && action.key !== state.key) return state;
  switch (action.type) {
    case 'reset':
      return initial(action.key);
    case 'start':
      return { ...state, busy: true };
    case 'newest':
      return takeNewest(state, action);
    case 'failed':
      return { ...state, busy: false, error: action.error, failures: state.failures + 1 };
    case 'show': {
      if (state.pending === null) return state;
      const list = mergeNewest(state.list, state.pending);
      return { ...state, list, fresh: newHashes(state.list, list), pending: null, pendingCount: 0 };
    }
    case 'settled':
      return state.fresh.size === 0 ? state : { ...state, fresh: NONE };
    case 'older':
      return { ...state, olderBusy: action.segment, olderError: null };
    case 'olderDone':
      return { ...state, olderBusy: null, list: appendOlder(state.list, action.segment, action.page) };
    case 'olderFailed':
      return { ...state, olderBusy: null, olderError: action.error };
  }
}

export interface LoadedEvents extends State {
  readonly loadedRows: number;
  readonly part: RefreshPart;
  readonly loadOlder: (segment: number) => void;
  readonly showPending: () => void;
}

/**
 * Rows of the monitoring page. `key` identifies the question: when it changes, everything in flight is dropped and the page
 * starts over. `buildQuery` is called for every request, because a relative range moves.
 */
export function useEvents(options: {
  readonly key: string;
  readonly buildQuery: () => Promise<EventsQuery>;
  /** The reader has scrolled away: new rows wait. */
  readonly isReading: () => boolean;
  readonly enabled: boolean;
}): LoadedEvents {
  const { manager } = useServices();
  const [state, dispatch] = useReducer(reduce, options.key, initial);
  const latest = useRef(options);
  const stateRef = useRef(state);
  useEffect(() => {
    latest.current = options;
    stateRef.current = state;
  });
  const running = useRef<AbortController | null>(null);
  const older = useRef<AbortController | null>(null);
  const lastRun = useRef(0);

  const page = useCallback(
    async (
      cursor: Cursor | null,
      signal: AbortSignal,
    ): Promise<{ readonly page: EventsPage; readonly fromMs: number }> => {
      const query = await latest.current.buildQuery();
      const events_page =
        cursor === null
          ? { limit: PAGE_SIZE }
          : {
              limit: PAGE_SIZE,
              before_ms: cursor.beforeMs,
              ...(cursor.beforeId > 0 ? { before_id: cursor.beforeId } : {}),
            };
      const answer = await manager.analytics({ ...query, include: { events_page } }, signal);
      if (answer.events === undefined) {
        throw new ApiError('shape', 'events are missing', { path: 'monitoring/analytics', atMs: Date.now() });
      }
      return { page: answer.events, fromMs: query.from_ms ?? 1 };
    },
    [manager],
  );

  const refresh = useCallback(() => {
    if (running.current !== null || !latest.current.enabled) return;
    const controller = new AbortController();
    running.current = controller;
    const { key } = latest.current;
    lastRun.current = Date.now();
    dispatch({ type: 'start', key });
    page(null, controller.signal)
      .then((answer) => {
        dispatch({ type: 'newest', key, ...answer, atMs: Date.now(), hold: latest.current.isReading() });
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) dispatch({ type: 'failed', key, error });
      })
      .finally(() => {
        if (running.current === controller) running.current = null;
      });
  }, [page]);

  const loadOlder = useCallback(
    (segment: number) => {
      const current = stateRef.current;
      const cursor = current.list.segments[segment]?.older ?? null;
      if (older.current !== null || cursor === null) return;
      const controller = new AbortController();
      older.current = controller;
      const { key } = current;
      dispatch({ type: 'older', key, segment });
      page(cursor, controller.signal)
        .then((answer) => dispatch({ type: 'olderDone', key, segment, page: answer.page }))
        .catch((error: unknown) => {
          if (!controller.signal.aborted) dispatch({ type: 'olderFailed', key, error });
        })
        .finally(() => {
          if (older.current === controller) older.current = null;
        });
    },
    [page],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new question.
  useEffect(() => {
    dispatch({ type: 'reset', key: options.key });
    refresh();
    return () => {
      running.current?.abort();
      running.current = null;
      older.current?.abort();
      older.current = null;
    };
  }, [options.key, options.enabled, refresh]);

  const part = useMemo<RefreshPart>(
    () => ({
      refresh,
      startedMs: () => lastRun.current,
      failures: () => stateRef.current.failures,
    }),
    [refresh],
  );

  useEffect(() => {
    if (state.fresh.size === 0) return;
    const timer = setTimeout(() => dispatch({ type: 'settled' }), 1_000);
    return () => clearTimeout(timer);
  }, [state.fresh]);

  const showPending = useCallback(() => dispatch({ type: 'show' }), []);
  // Between a new question and the following reset, nothing of the old answer is shown.
  const shown = state.key === options.key ? state : initial(options.key);
  return { ...shown, loadedRows: loadedCount(shown.list), part, loadOlder, showPending };
}
