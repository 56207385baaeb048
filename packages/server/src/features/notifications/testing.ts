import type { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NotificationEvent } from '@manager/core/contract/notifications/kinds';
import type { TargetRequest } from '@manager/core/contract/notifications/targets';
import { createRedactor } from '../../platform/logging/redactor.ts';
import { openVault } from '../../platform/secrets/vault.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import { getSettings, putSettings } from '../../sqlite/settings.ts';
import type { Condition, Observation } from './condition.ts';
import { createDeliver } from './deliver.ts';
import { createOutboxLoop } from './outbox-loop.ts';
import { createSecretBox } from './secrets.ts';
import { createNotificationService } from './service.ts';
import { type NotificationReads, type NotificationWrites, notificationReads, notificationWrites } from './store.ts';

/** One request that a local service got. */
export interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A local service that keeps what it gets. */
export function startReceiver(answer: (received: Received) => Response | Promise<Response> = () => new Response('ok')) {
  const received: Received[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      const one = { path: url.pathname + url.search, headers: request.headers, body: await request.text() };
      received.push(one);
      return answer(one);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, received, stop: () => server.stop(true) };
}

export function condition(subject: string, members: Partial<Condition> = {}): Condition {
  return { subject, name: subject, provider: '', sinceMs: 0, facts: {}, ...members };
}

export function webhookRequest(url: string, members: Partial<Extract<TargetRequest, { kind: 'webhook' }>> = {}) {
  return {
    kind: 'webhook',
    name: 'Operations',
    enabled: true,
    language: 'en',
    events: ['account_login', 'quota_low', 'quota_used_up', 'collector_down', 'collection_gap', 'disk_low'],
    sendRecovered: true,
    showAccounts: true,
    timeZone: '',
    quietHours: null,
    options: {},
    secrets: { url },
    ...members,
  } satisfies TargetRequest;
}

/** The feature over a real database, with a clock that the test sets. */
export function openNotifications() {
  const directory = mkdtempSync(join(tmpdir(), 'notifications-'));
  const databasePath = join(directory, 'usage.sqlite');
  let nowMs = 1_770_000_000_000;
  const now = () => nowMs;
  const db = openMigrated(databasePath, { now });
  const warnings: string[] = [];
  let observation: Observation = {};
  let wanted: ReadonlySet<NotificationEvent> = new Set();
  let ids = 0;
  const newId = () => `id-${String(++ids).padStart(8, '0')}`;
  const box = createSecretBox(openVault({ explicitText: '', path: join(directory, 'data.key'), randomBytes }));
  const stopping = new AbortController();
  const deliver = createDeliver({ now, stopping: stopping.signal });
  const reader = operations(db, now, notificationReads) as NotificationReads;
  const writer = operations(db, now, notificationWrites) as NotificationWrites;
  const { redact } = createRedactor();
  const common = { reader, writer, box, deliver, redact, newId, now };
  const service = createNotificationService({
    ...common,
    readSettings: async (keys) => getSettings({ db }, keys),
    writeSettings: async (changes) => putSettings({ db, now }, changes),
    onChange: () => undefined,
  });

  return {
    databasePath,
    db,
    service,
    writer,
    reader,
    warnings,
    observe(next: Observation) {
      observation = next;
    },
    pass(ms: number) {
      nowMs += ms;
    },
    at(ms: number) {
      nowMs = ms;
    },
    now,
    /** Events of the last observation. */
    wanted: () => wanted,
    /** One round of the outbox, as the loop does it. @returns how long it rests then, ms */
    async round(): Promise<number> {
      const done = Promise.withResolvers<number>();
      const loop = createOutboxLoop({
        ...common,
        settings: service.settings,
        observe: async (_, events) => {
          wanted = events;
          return observation;
        },
        log: { warn: (message) => void warnings.push(message) },
        wait: (ms, signal) => {
          done.resolve(ms);
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
        },
      });
      loop.start();
      const restMs = await done.promise;
      await loop.stop();
      return restMs;
    },
    close() {
      stopping.abort();
      db.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Runs operations where the test is, each in one transaction as in the workers. */
function operations(
  db: Database,
  now: () => number,
  all: object,
): { run(name: string, args: unknown): Promise<unknown> } {
  const context = { db, now };
  return {
    run: async (name, args) => {
      const operation = Reflect.get(all, name) as (context: object, args: unknown) => unknown;
      return db.transaction(() => operation(context, args)).immediate();
    },
  };
}
