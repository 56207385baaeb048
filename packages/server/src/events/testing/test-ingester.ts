import type { Database } from 'bun:sqlite';
import { openMigrated } from '../../schema/open-migrated.ts';
import { createEventWriter } from '../ingest/event-writer.ts';
import { createIngester, type Ingester } from '../ingest/ingest.ts';
import type { IngestRecord } from '../ingest/ingest-record.ts';
import type { Preparer } from '../ingest/preparer/preparer.ts';

export const TEST_NOW_MS = Date.UTC(2026, 8, 1, 12);

export interface TestIngester extends Ingester {
  readonly db: Database;
}

/** An ingester over a file, as the writer worker builds it. */
export function createTestIngester(
  path: string,
  options: { readonly hourlyRollup?: boolean; readonly preparer?: Preparer } = {},
): TestIngester {
  const db = openMigrated(path, { now: () => TEST_NOW_MS });
  const writer = createEventWriter(db, { hourlyRollup: options.hourlyRollup ?? true });
  return { db, ...createIngester(db, writer, () => TEST_NOW_MS, options.preparer) };
}

export function records(...texts: readonly string[]): IngestRecord[] {
  return texts.map((text) => ({ text, receivedAtMs: TEST_NOW_MS }));
}

/** A small record; members can be replaced. */
export function recordText(members: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    timestamp: '2026-09-01T11:59:00.5Z',
    provider: 'codex',
    executor_type: 'CodexExecutor',
    model: 'gpt-5.4',
    alias: 'gpt-5.4(high)',
    endpoint: 'POST /v1/responses',
    auth_type: 'oauth',
    auth_index: '0011223344556677',
    source: 'river@example.test',
    api_key: 'sim-client-key-0001',
    request_id: 'a1b2c3d4',
    tokens: { input_tokens: 900, output_tokens: 70, cache_read_tokens: 600, total_tokens: 970 },
    latency_ms: 1200,
    failed: false,
    ...members,
  });
}
