import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../json/json.ts';
import { accountSnapshots, enrich, readListedAccount } from './enrich.ts';
import authFiles from './fixtures/auth-files.json';
import { prepareForInsert } from './insert.ts';
import { eventOf, NOW_MS } from './testing/context.ts';

const snapshotsOf = (entries: readonly JsonObject[]) => accountSnapshots(entries.map(readListedAccount), 5);

describe('the list of auth files', () => {
  test('adds nothing without an auth index', () => {
    expect(Object.keys(snapshotsOf([{}, { name: 'no-index.json' }, { auth_index: ' ' }]).byAuthIndex)).toEqual([]);
  });

  test('is read without texts that are too long to be names', () => {
    const entry = { auth_index: 'a1', account: 'x'.repeat(3000), email: 'me@example.org', label: 'y'.repeat(3000) };
    expect(snapshotsOf([entry]).byAuthIndex.a1).toMatchObject({ account: 'me@example.org', label: 'me@example.org' });
  });

  test('as the gateway sends it', () => {
    const { byAuthIndex, fetchedAtMs } = snapshotsOf(authFiles.files);
    expect(fetchedAtMs).toBe(5);
    expect(Object.keys(byAuthIndex).length).toBe(authFiles.files.filter((file) => 'auth_index' in file).length);
    expect(byAuthIndex['8d9c42f8d4948b53']).toEqual({
      account: 'lake@example.test',
      label: 'lake@example.test',
      file: 'antigravity-lake@example.test.json',
      provider: 'antigravity',
      projectId: 'sim-antigravity-project',
    });
  });

  test('never shows an account that looks like a key', () => {
    const { byAuthIndex } = snapshotsOf([
      { auth_index: 1, account: 'sk-abcdef', email: 'me@example.org', name: 'f.json', type: 'codex' },
      { 'auth-index': '2', account: 'x'.repeat(40), label: 'Team', name: 'g.json' },
      { authIndex: '3', account: 'AIzaXYZ', name: 'h.json', geminiVirtualProject: 'p' },
      { auth_index: '4', account: 'x'.repeat(600) },
    ]);
    expect(byAuthIndex['1']).toMatchObject({ account: 'me@example.org', label: 'f.json', provider: 'codex' });
    expect(byAuthIndex['2']).toMatchObject({ account: 'Team', label: 'Team' });
    expect(byAuthIndex['3']).toMatchObject({ account: 'h.json', projectId: 'p' });
    expect(byAuthIndex['4']?.account).toHaveLength(600);
  });
});

describe('enrichment', () => {
  const table = accountSnapshots(
    [{ auth_index: 'a1', name: 'f.json', account: 'me@example.org', provider: 'codex', project_id: 'p' }].map(
      readListedAccount,
    ),
    NOW_MS - 1000,
  );

  test('fills empty members and keeps those of the event', () => {
    const event = eventOf({ auth_index: 'a1', account_snapshot: 'mine', auth_provider_snapshot: 'xai' });
    const enriched = enrich(event, table);
    expect(enriched).toMatchObject({
      account_snapshot: 'mine',
      auth_provider_snapshot: 'xai',
      auth_file_snapshot: 'f.json',
      auth_project_id_snapshot: 'p',
      auth_snapshot_at_ms: NOW_MS - 1000,
    });
    expect(enriched.event_hash).toBe(event.event_hash);
  });

  test('does not change events that are complete, unknown or without an index', () => {
    for (const item of [
      { auth_index: 'a1', account_snapshot: 'a', project_id: 'b' },
      { auth_index: 'other' },
      { auth_index: 'constructor' },
      { auth_index: '__proto__' },
      {},
    ]) {
      const event = eventOf(item);
      expect(enrich(event, table)).toBe(event);
    }
  });

  test('keeps the time of an earlier snapshot', () => {
    const event = eventOf({ auth_index: 'a1', auth_snapshot_at_ms: 77 });
    expect(enrich(event, table).auth_snapshot_at_ms).toBe(77);
  });

  test('uses the provider for the tier, but not for the cache mode', () => {
    const item = { auth_index: 'a1', service_tier: 'priority', response_service_tier: 'default' };
    const event = eventOf({ ...item, tokens: { input_tokens: 10, cache_read_tokens: 5 } });
    const { event: prepared } = prepareForInsert(enrich(event, table));
    expect(event.service_tier).toBe('default');
    expect(prepared).toMatchObject({ service_tier: 'priority', cache_input_mode: 'separate_from_input' });
  });
});
