import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  archiveListResponseSchema,
  archivePreviewSchema,
  archiveRunResponseSchema,
} from '@manager/core/contract/archives/runs';
import { ADMIN_KEY } from '../../http/testing.ts';
import { ARCHIVES, type ArchiveRig, CUTOFF, createArchiveRig, idOf } from './testing/rig.ts';

const UNKNOWN = '0199a0000000700080000000000000ff';

describe('an invalid request', () => {
  let rig: ArchiveRig;
  beforeAll(async () => {
    rig = await createArchiveRig({ events: 5 });
  });
  afterAll(() => rig.close());

  const invalid = { status: 400, code: 'usage_archive_invalid_request' };
  const large = 'x'.repeat(64 * 1024 + 1);

  test.each<[string, string, unknown, { status: number; code: string }]>([
    ['POST', '/preview', {}, invalid],
    ['POST', '/preview', { cutoff_timestamp_ms: null }, invalid],
    ['POST', '/preview', { cutoff_timestamp_ms: 0 }, invalid],
    ['POST', '/preview', { cutoff_timestamp_ms: -1 }, invalid],
    ['POST', '/preview', { cutoff_timestamp_ms: 1.5 }, invalid],
    ['POST', '/preview', { cutoff_timestamp_ms: '1' }, invalid],
    ['POST', '/preview', { cutoff_timestamp_ms: 8.64e15 + 1 }, invalid],
    ['POST', '/preview', { ...CUTOFF, more: 1 }, invalid],
    ['POST', '/preview', '{"cutoff_timestamp_ms":1}{"cutoff_timestamp_ms":1}', invalid],
    ['POST', '/preview', '', invalid],
    ['POST', '/preview', large, { status: 413, code: 'usage_archive_request_too_large' }],
    ['POST', '', { cutoff_timestamp_ms: 0 }, invalid],
    ['POST', '', large, { status: 413, code: 'usage_archive_request_too_large' }],
    ['POST', '', { cutoff_timestamp_ms: 1 }, { status: 422, code: 'usage_archive_no_events' }],
    ['GET', '?limit=0', undefined, invalid],
    ['GET', '?limit=101', undefined, invalid],
    ['GET', '?limit=ten', undefined, invalid],
    ['GET', '?limit=1&limit=2', undefined, invalid],
    ['GET', '?status=done', undefined, invalid],
    ['GET', '?mode=automatic', undefined, invalid],
    ['GET', '?cursor=abc', undefined, invalid],
    ['GET', '/123', undefined, { status: 400, code: 'usage_archive_invalid_id' }],
    ['GET', `/${UNKNOWN.toUpperCase()}`, undefined, { status: 400, code: 'usage_archive_invalid_id' }],
    ['GET', `/${UNKNOWN}`, undefined, { status: 404, code: 'usage_archive_not_found' }],
    ['POST', '/123/verify', undefined, { status: 400, code: 'usage_archive_invalid_id' }],
    ['POST', `/${UNKNOWN}/resume`, undefined, { status: 404, code: 'usage_archive_not_found' }],
    ['POST', `/${UNKNOWN}/verify`, undefined, { status: 404, code: 'usage_archive_not_found' }],
    ['POST', `/${UNKNOWN}/delete`, undefined, { status: 404, code: 'usage_archive_not_found' }],
    ['POST', `/${UNKNOWN}/cancel`, undefined, { status: 404, code: 'usage_archive_not_found' }],
    ['POST', `/${UNKNOWN}/resume`, '{}', invalid],
    ['POST', `/${UNKNOWN}/resume`, ' \n', { status: 404, code: 'usage_archive_not_found' }],
    ['POST', `/${UNKNOWN}/cancel`, large, { status: 413, code: 'usage_archive_request_too_large' }],
    ['POST', `/${UNKNOWN}/resume?wait=perhaps`, undefined, invalid],
    ['POST', `/${UNKNOWN}/resume?wait=true&background=true`, undefined, invalid],
    ['POST', `/${UNKNOWN}/resume?expected_stage=archived`, undefined, invalid],
    ['POST', `/${UNKNOWN}/publish`, undefined, { status: 404, code: 'request_failed' }],
    ['GET', `/${UNKNOWN}/segments`, undefined, { status: 404, code: 'request_failed' }],
    ['GET', '/preview', undefined, { status: 405, code: 'method_not_allowed' }],
    ['DELETE', `/${UNKNOWN}`, undefined, { status: 405, code: 'method_not_allowed' }],
    ['GET', `/${UNKNOWN}/verify`, undefined, { status: 405, code: 'method_not_allowed' }],
    ['PUT', '', undefined, { status: 405, code: 'method_not_allowed' }],
  ])('%s archives%s is refused', async (method, path, body, expected) => {
    const { status, code } = await rig.call(method, ARCHIVES + path, body);
    expect({ status, code }).toEqual(expected as { status: number; code: unknown });
  });

  test('a missing cutoff is reported as missing', async () => {
    const answer = await rig.call('POST', `${ARCHIVES}/preview`, {});
    expect(answer.body).toMatchObject({ error: 'cutoff_timestamp_ms: missing' });
  });

  test.each([
    ['no key', {}],
    ['another key', { authorization: 'Bearer other' }],
    ['the key as a management key', { 'x-management-key': ADMIN_KEY }],
  ])('%s is 401, whether the path exists or not', async (_, headers) => {
    for (const path of ['', '/preview', `/${UNKNOWN}`, '/no/such/path']) {
      const answer = await fetch(`${rig.server.url}${ARCHIVES}${path}`, { headers, keepalive: false });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({ error: 'invalid admin key', code: 'invalid_admin_key' });
    }
  });
});

describe('a run', () => {
  let rig: ArchiveRig;
  beforeEach(async () => {
    rig = await createArchiveRig({ events: 60 });
  });
  afterEach(() => rig.close());

  const act = (id: string, action: string) => rig.call('POST', `${ARCHIVES}/${id}/${action}`);

  test('goes from preview to completed, and repeated actions have no effect', async () => {
    const preview = await rig.call('POST', `${ARCHIVES}/preview`, CUTOFF);
    expect(preview.status).toBe(200);
    const previewed = archivePreviewSchema.parse(preview.body);
    expect(previewed).toMatchObject({ ...CUTOFF, event_count: 60, target_event_id: 60 });
    expect(previewed.estimated_bytes).toBeGreaterThan(60 * 512);

    const id = await rig.created();
    const created = archiveRunResponseSchema.parse((await rig.call('GET', `${ARCHIVES}/${id}`)).body);
    expect(created.segments).toEqual([]);
    expect(created.run).toMatchObject({
      mode: 'manual',
      status: 'previewed',
      event_count: 60,
      target_event_id: 60,
      estimated_bytes: previewed.estimated_bytes,
      has_error: false,
    });
    expect(Object.keys(created.run)).not.toContain('progress');

    const steps: readonly [string, string][] = [
      ['resume', 'archived'],
      ['resume', 'archived'],
      ['verify', 'verified'],
      ['resume', 'verified'],
      ['verify', 'verified'],
      ['delete', 'completed'],
      ['delete', 'completed'],
      ['verify', 'completed'],
      ['resume', 'completed'],
    ];
    for (const [action, status] of steps) {
      const answer = await act(id, action);
      expect([action, answer.status]).toEqual([action, 200]);
      expect([action, archiveRunResponseSchema.parse(answer.body).run.status]).toEqual([action, status]);
    }
    const completed = archiveRunResponseSchema.parse((await rig.call('GET', `${ARCHIVES}/${id}`)).body);
    expect(completed.run).toMatchObject({ archived_event_count: 60, deleted_event_count: 60, has_error: false });
    expect(completed.segments).toMatchObject([{ run_id: id, sequence: 1, status: 'verified', event_count: 60 }]);
    const answers = JSON.stringify(completed);
    for (const hidden of ['file_name', 'sha256', 'digest', 'format', 'last_error', 'jsonl', 'number']) {
      expect(answers).not.toContain(hidden);
    }
    expect(await act(id, 'cancel')).toMatchObject({ status: 409, code: 'usage_archive_cancel_unsafe' });
    expect(await rig.call('POST', ARCHIVES, CUTOFF)).toMatchObject({ status: 422, code: 'usage_archive_no_events' });
    const empty = archivePreviewSchema.parse((await rig.call('POST', `${ARCHIVES}/preview`, CUTOFF)).body);
    expect(empty).toEqual({ ...CUTOFF, target_event_id: 0, event_count: 0, estimated_bytes: 0 });
  });

  test('verifying a verified run reads its files again', async () => {
    const id = await rig.created();
    await act(id, 'resume');
    await act(id, 'verify');
    const stages: string[] = [];
    rig.hooks.run = (stage) => void stages.push(stage);
    expect((await act(id, 'verify')).status).toBe(200);
    expect(stages).toEqual(['verifying']);
    rig.hooks.run = () => {
      throw new Error('/secret/path: checksum differs');
    };
    const failed = await act(id, 'verify');
    expect(failed).toMatchObject({ status: 500, code: 'request_failed' });
    expect(JSON.stringify(failed.body)).not.toContain('secret');
    const { run } = archiveRunResponseSchema.parse((await rig.call('GET', `${ARCHIVES}/${id}`)).body);
    expect(run).toMatchObject({ status: 'failed', resume_status: 'verifying', has_error: true });
    expect(run).not.toHaveProperty('requested_stage');
  });

  test('in the background is 202 with the URL of the run', async () => {
    const id = await rig.created();
    const held = Promise.withResolvers<void>();
    rig.hooks.run = () => held.promise;
    for (const query of ['background=true', 'wait=false', 'wait=0', 'background=T']) {
      const answer = await rig.call('POST', `${ARCHIVES}/${id}/resume?${query}`);
      expect([query, answer.status]).toEqual([query, 202]);
      expect(answer.headers.get('location')).toBe(`${ARCHIVES}/${id}`);
      expect(answer.headers.get('retry-after')).toBe('2');
      expect(archiveRunResponseSchema.parse(answer.body).run.requested_stage).toBe('archiving');
    }
    held.resolve();
    expect((await rig.call('POST', `${ARCHIVES}/${id}/resume?background=false`)).status).toBe(200);
    expect(rig.status(id)).toBe('archived');
    expect((await rig.call('POST', `${ARCHIVES}/${id}/resume?background=true`)).status).toBe(200);
    const late = await rig.call('POST', `${ARCHIVES}/${id}/resume?expected_stage=archiving`);
    expect(late.status).toBe(200);
    expect(await rig.call('POST', `${ARCHIVES}/${id}/resume?expected_stage=verifying`)).toMatchObject({
      status: 409,
      code: 'usage_archive_invalid_state',
    });
  });

  test.each([
    ['verify', 'previewed'],
    ['delete', 'previewed'],
    ['delete', 'archived'],
  ])('%s on %s is refused', async (action, status) => {
    const id = await rig.created();
    if (status === 'archived') await act(id, 'resume');
    expect(await act(id, action)).toMatchObject({ status: 409, code: 'usage_archive_invalid_state' });
    expect(rig.status(id)).toBe(status);
  });

  test('blocks other manual runs until it is archived or canceled', async () => {
    const id = await rig.created();
    const refused = await rig.call('POST', ARCHIVES, CUTOFF);
    expect(refused).toMatchObject({ status: 409, code: 'usage_archive_maintenance_locked' });
    expect(JSON.stringify(refused.body)).not.toContain(id);
    expect((await act(id, 'cancel')).status).toBe(200);
    expect((await act(id, 'cancel')).status).toBe(200);
    expect(await act(id, 'resume')).toMatchObject({ status: 409, code: 'usage_archive_invalid_state' });
    expect(await act(id, 'verify')).toMatchObject({ status: 409 });
    const second = await rig.created();
    await act(second, 'resume');
    // Everything is archived, so a third one has no events, but it is not blocked.
    expect(await rig.call('POST', ARCHIVES, CUTOFF)).toMatchObject({ status: 422, code: 'usage_archive_no_events' });
    expect(await act(second, 'cancel')).toMatchObject({ status: 409, code: 'usage_archive_cancel_published' });
  });

  test('that failed with every segment published can be canceled, and its events are free for another one', async () => {
    const id = await rig.created();
    await act(id, 'resume');
    rig.hooks.run = () => {
      throw new Error('damaged');
    };
    expect((await act(id, 'verify')).status).toBe(500);
    rig.hooks.removeTemporary = () => {
      throw new Error('busy');
    };
    expect(await act(id, 'cancel')).toMatchObject({ status: 500, code: 'usage_archive_cancel_cleanup_failed' });
    expect(rig.status(id)).toBe('failed');
    rig.hooks.removeTemporary = () => {};
    const cancelled = archiveRunResponseSchema.parse((await act(id, 'cancel')).body);
    expect(cancelled.run).toMatchObject({ status: 'cancelled', has_error: false, archived_event_count: 60 });
    expect(cancelled.run).not.toHaveProperty('resume_status');
    expect(cancelled.segments).toHaveLength(1);
    const again = archiveRunResponseSchema.parse((await rig.call('POST', ARCHIVES, CUTOFF)).body);
    expect(again.run.event_count).toBe(60);
  });

  test('of another format is not changed', async () => {
    const id = await rig.created();
    rig.site.db.query("UPDATE usage_archive_runs SET format = 'parquet-v2' WHERE id = ?").run(id);
    expect(await act(id, 'resume')).toMatchObject({ status: 409, code: 'usage_archive_invalid_state' });
    expect(rig.site.runRow(id)).toMatchObject({ status: 'previewed', requested_stage: null });
  });

  test('whose events changed since it was created must be created again', async () => {
    const id = await rig.created();
    rig.site.db.query('UPDATE usage_archive_runs SET event_count = event_count - 1 WHERE id = ?').run(id);
    expect(await act(id, 'resume')).toMatchObject({ status: 409, code: 'usage_archive_coverage_incomplete' });
    expect(rig.site.runRow(id)).toMatchObject({ status: 'previewed', requested_stage: null });
  });

  test('is not deleted while the hourly rollup is off', async () => {
    const id = await rig.created();
    await act(id, 'resume');
    await act(id, 'verify');
    await rig.restart({ deleteEnabled: false });
    expect(await act(id, 'delete')).toMatchObject({ status: 409, code: 'usage_archive_delete_unavailable' });
    rig.site.db
      .query("UPDATE usage_archive_runs SET status = 'failed', resume_status = 'deleting' WHERE id = ?")
      .run(id);
    expect(await act(id, 'resume')).toMatchObject({ status: 409, code: 'usage_archive_delete_unavailable' });
    rig.site.db.query("UPDATE usage_archive_runs SET status = 'verified', resume_status = NULL WHERE id = ?").run(id);
    await rig.restart();
    expect((await act(id, 'delete')).status).toBe(200);
  });

  test('is not deleted while derived data is behind its events', async () => {
    const id = await rig.created();
    await act(id, 'resume');
    await act(id, 'verify');
    const counter = rig.site.db.query("UPDATE counters SET value = ? WHERE name = 'hourly_core_event_id'");
    counter.run(59);
    expect(await act(id, 'delete')).toMatchObject({ status: 409, code: 'usage_archive_coverage_incomplete' });
    expect(rig.status(id)).toBe('verified');
    counter.run(60);
    expect((await act(id, 'delete')).status).toBe(200);
    expect(rig.status(id)).toBe('completed');
  });

  test('one of the retention blocks others also when it is verified', async () => {
    const { run } = await rig.service.create('retention', CUTOFF.cutoff_timestamp_ms);
    await act(run.id, 'resume');
    expect(await rig.call('POST', ARCHIVES, CUTOFF)).toMatchObject({
      status: 409,
      code: 'usage_archive_maintenance_locked',
    });
  });
});

test('runs are listed newest first, page by page, with counts by status', async () => {
  const rig = await createArchiveRig({ events: 5 });
  try {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const id = await rig.created();
      ids.unshift(id);
      if (count < 4) await rig.call('POST', `${ARCHIVES}/${id}/cancel`);
    }
    rig.site.db.run('UPDATE usage_archive_runs SET created_at_ms = 1767225600000 WHERE number > 2');
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 3; pages += 1) {
      const { body } = await rig.call('GET', `${ARCHIVES}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      const page = archiveListResponseSchema.parse(body);
      expect(page.total).toBe(5);
      expect(page.status_counts).toEqual({ cancelled: 4, previewed: 1 });
      seen.push(...page.runs.map((run) => run.id));
      cursor = page.next_cursor ?? '';
    }
    expect(cursor).toBe('');
    // The two oldest by number have later creation times.
    expect(seen).toEqual([...ids.slice(3), ...ids.slice(0, 3)]);
    const filtered = archiveListResponseSchema.parse((await rig.call('GET', `${ARCHIVES}?status=previewed`)).body);
    expect(filtered).toMatchObject({ total: 1, status_counts: { cancelled: 4, previewed: 1 } });
    expect(filtered.runs.map(({ id }) => id)).toEqual(ids.slice(0, 1));
    const none = archiveListResponseSchema.parse((await rig.call('GET', `${ARCHIVES}?mode=retention`)).body);
    expect(none).toEqual({ runs: [], total: 0, status_counts: {} });
    const one = archiveListResponseSchema.parse((await rig.call('GET', `${ARCHIVES}?limit=1&status=cancelled`)).body);
    expect(Buffer.from(one.next_cursor ?? '', 'base64url').toString()).toMatch(/^\d+:[0-9a-f]{32}$/);
  } finally {
    await rig.close();
  }
});

test('without an archive directory every request is 503, until it exists', async () => {
  let there = false;
  const rig = await createArchiveRig({ events: 5, directory: () => there });
  try {
    const paths: readonly [string, string][] = [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/preview'],
      ['GET', `/${UNKNOWN}`],
      ['POST', `/${UNKNOWN}/cancel`],
    ];
    for (const [method, path] of paths) {
      const answer = await rig.call(method, ARCHIVES + path, method === 'POST' ? CUTOFF : undefined);
      expect(answer).toMatchObject({ status: 503, code: 'usage_archive_unavailable' });
    }
    there = true;
    expect(idOf((await rig.call('POST', ARCHIVES, CUTOFF)).body)).toMatch(/^[0-9a-f]{32}$/);
  } finally {
    await rig.close();
  }
});
