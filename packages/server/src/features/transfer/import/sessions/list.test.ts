import { afterEach, describe, expect, test } from 'bun:test';
import {
  type ImportSessionsResponse,
  importSessionsResponseSchema,
} from '@manager/core/contract/transfer/import-sessions';
import { cursorOf } from './list.ts';
import { SessionsUnderTest } from './testing.ts';

const made: SessionsUnderTest[] = [];
afterEach(async () => {
  for (const each of made.splice(0)) await each.dispose();
});

async function startWith(count: number): Promise<SessionsUnderTest> {
  const sessions = new SessionsUnderTest({ maxSessions: 50 });
  made.push(sessions);
  for (let made = 0; made < count; made += 1) await sessions.create({ size_bytes: 8 });
  return sessions;
}

async function list(sessions: SessionsUnderTest, query = ''): Promise<ImportSessionsResponse> {
  const { status, body } = await sessions.call('GET', query);
  expect(status).toBe(200);
  return importSessionsResponseSchema.parse(body);
}

const numbers = ({ sessions }: ImportSessionsResponse) => sessions.map(({ id }) => Number(id.slice(0, 8)));

describe('list', () => {
  test('of nothing is complete', async () => {
    expect(await list(await startWith(0))).toEqual({
      sessions: [],
      total: 0,
      status_counts: {},
      active_sessions: 0,
      max_sessions: 50,
      chunk_size_bytes: 8,
      disk_quota_bytes: 1000,
      ttl_seconds: 3600,
    });
  });

  test('has the newest change first, then the larger id', async () => {
    const sessions = await startWith(4);
    sessions.nowMs += 10;
    await sessions.ask('DELETE', `/${(await list(sessions)).sessions[3]?.id}`);
    expect(numbers(await list(sessions))).toEqual([1, 4, 3, 2]);
  });

  test('has 20 by default', async () => {
    const sessions = await startWith(23);
    const first = await list(sessions);
    expect([first.sessions.length, first.total]).toEqual([20, 23]);
    const second = await list(sessions, `?cursor=${first.next_cursor}`);
    expect([second.sessions.length, second.total, second.next_cursor]).toEqual([3, 23, undefined]);
    expect((await list(sessions, '?limit=100')).sessions).toHaveLength(23);
  });

  test('continues at the cursor, also when its session has moved', async () => {
    const sessions = await startWith(5);
    const first = await list(sessions, '?limit=2');
    expect(numbers(first)).toEqual([5, 4]);
    sessions.nowMs += 10;
    await sessions.ask('DELETE', `/${first.sessions[1]?.id}`);
    const second = await list(sessions, `?limit=2&cursor=${first.next_cursor}`);
    expect(numbers(second)).toEqual([3, 2]);
    expect(numbers(await list(sessions, `?limit=2&cursor=${second.next_cursor}`))).toEqual([1]);
  });

  test('has no cursor after a full last page', async () => {
    expect((await list(await startWith(4), '?limit=4')).next_cursor).toBeUndefined();
  });

  test('of one status still counts the others', async () => {
    const sessions = await startWith(3);
    await sessions.ask('DELETE', `/${(await list(sessions)).sessions[0]?.id}`);
    const answer = await list(sessions, '?status=cancelled&limit=20&cursor=');
    expect(answer).toMatchObject({ total: 1, status_counts: { uploading: 2, cancelled: 1 }, active_sessions: 2 });
    expect(numbers(answer)).toEqual([3]);
    expect((await list(sessions, '?status=')).total).toBe(3);
  });

  test.each([
    '?limit=0',
    '?limit=101',
    '?limit=-1',
    '?limit=1.5',
    '?limit=ten',
    '?limit=',
    '?status=unknown',
    '?status=Uploading',
    '?cursor=abc',
    '?cursor=MTc2NzIyNTYwMDAwMDowMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2RlZg==',
    `?cursor=${Buffer.from('1767225600000:xyz').toString('base64url')}`,
  ])('refuses %s', async (query) => {
    const refusal = await (await startWith(1)).refused('GET', query);
    expect(refusal).toMatchObject({ status: 400, code: 'usage_import_session_invalid_request' });
  });

  test('has cursors of a known form', () => {
    expect(cursorOf({ updated_at_ms: 1_767_225_600_000, id: '0123456789abcdef0123456789abcdef' })).toBe(
      'MTc2NzIyNTYwMDAwMDowMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2RlZg',
    );
  });
});
