import type { Database } from 'bun:sqlite';
import { QUOTA_SNAPSHOTS_PATH, QUOTA_SNAPSHOTS_QUERY_PATH } from '@manager/core/contract/constants';
import {
  type QuotaSnapshotsResponse,
  type QuotaWindowView,
  quotaSnapshotsQueryResponseSchema,
  quotaSnapshotsResponseSchema,
} from '@manager/core/contract/quotas/snapshots';
import { ADMIN, startTestServer, type TestServer } from '../../../http/testing.ts';
import { createTestFolder } from '../../../platform/testing/test-folder.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { openStore, prepareStore, type Store } from '../../../workers/store.ts';
import { createQuotaSnapshotRoutes } from '../routes.ts';
import { createQuotaSnapshotService, type QuotaSnapshotService } from '../service.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Mid-November 2023: the observations of tests are around it. */
export const NOW = 1_700_000_000_000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

/** A Codex window as a client sends it; without an end it has no boundary. */
export function sentWindow(id: string, lengthMs: number, endMs: number | null, change: Body = {}): Body {
  return {
    provider_window_id: id,
    model_scope_kind: 'family',
    model_scope_key: 'codex_main',
    ...(endMs === null
      ? { window_mode: 'unknown', boundary_accuracy: 'unknown' }
      : { window_mode: 'fixed', boundary_accuracy: 'exact', cycle_end_ms: endMs, duration_seconds: lengthMs / 1000 }),
    ...change,
  };
}

export const sentWeekly = (usedPercent: number | null, endMs: number | null, change: Body = {}): Body =>
  sentWindow('weekly', WEEK, endMs, { ...(usedPercent === null ? {} : { used_percent: usedPercent }), ...change });

export const sentFiveHour = (usedPercent: number | null, endMs: number | null, change: Body = {}): Body =>
  sentWindow('five-hour', 5 * HOUR, endMs, {
    ...(usedPercent === null ? {} : { used_percent: usedPercent }),
    ...change,
  });

export interface Sent {
  readonly file?: string;
  readonly source?: string;
  readonly mode?: string;
  readonly scope?: string;
  readonly id?: string;
  readonly removed?: readonly Body[];
}

/** One entry of a write. */
export function sentEntry(observedAtMs: number, windows: readonly Body[], sent: Sent = {}): Body {
  return {
    row_key: 'row',
    provider: 'codex',
    account: { auth_file_snapshot: sent.file ?? 'a.json', auth_index: '1' },
    observation: {
      source: sent.source ?? 'response_header',
      observed_at_ms: observedAtMs,
      inventory_scope_key: sent.scope ?? 'codex:rate-limits',
      inventory_mode: sent.mode ?? 'partial',
      ...(sent.id === undefined ? {} : { source_observation_id: sent.id }),
    },
    windows,
    ...(sent.removed === undefined ? {} : { removed_windows: sent.removed }),
  };
}

/** The feature over HTTP with a separate database. */
export interface QuotaRig {
  readonly store: Store;
  readonly db: Database;
  readonly service: QuotaSnapshotService;
  readonly server: TestServer;
  post(path: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Sends entries and expects success. */
  send(...entries: readonly Body[]): Promise<QuotaSnapshotsResponse>;
  windows(nowMs: number, options?: { readonly file?: string; readonly inactive?: boolean }): Promise<QuotaWindowView[]>;
  /** Another process on the same database. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export function createQuotaRig(clock: () => number = () => NOW): QuotaRig {
  const folder = createTestFolder();
  const path = folder.path('usage.sqlite');
  prepareStore(path, { now: clock, tempDirectory: folder.path('') });
  const start = () => {
    const store = openStore({ path, hourlyRollup: true, now: clock, log: { info() {}, error() {} }, readers: 1 });
    const service = createQuotaSnapshotService({ reader: store.reader, writer: store.writer, now: clock });
    return {
      store,
      service,
      server: startTestServer({ handlers: { quotaSnapshots: createQuotaSnapshotRoutes(service) } }),
    };
  };
  let parts = start();
  const db = openDatabase(path);

  async function post(to: string, body: unknown) {
    const answer = await fetch(parts.server.url + to, { method: 'POST', headers: ADMIN, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as unknown };
  }

  return {
    get store() {
      return parts.store;
    },
    db,
    get service() {
      return parts.service;
    },
    get server() {
      return parts.server;
    },
    post,
    async send(...entries) {
      const answer = await post(QUOTA_SNAPSHOTS_PATH, { entries });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return quotaSnapshotsResponseSchema.parse(answer.body);
    },
    async windows(nowMs, { file = 'a.json', inactive = true } = {}) {
      const answer = await post(QUOTA_SNAPSHOTS_QUERY_PATH, {
        accounts: [{ row_key: 'row', provider: 'codex', account: { auth_file_snapshot: file, auth_index: '1' } }],
        now_ms: nowMs,
        include_inactive: inactive,
      });
      return quotaSnapshotsQueryResponseSchema.parse(answer.body).items[0]?.windows ?? [];
    },
    async restart() {
      await parts.server.stop(0);
      await parts.store.close();
      parts = start();
    },
    async close() {
      await parts.server.stop(0);
      db.close();
      await parts.store.close();
      folder.dispose();
    },
  };
}
