import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type AccountIdentity, type AccountRecord, accountRecord } from '@manager/core/accounts/identity';
import { openDatabase } from '../../../sqlite/open.ts';
import type { AccountScope, NewClaim } from '../claim.ts';
import { type ClaimsRig, startClaimsRig } from '../testing.ts';
import { requestClaim, withdrawRequests } from './change-claims.ts';

const DAY_MS = 86_400_000;
const OWNER = 'owner';

let rig: ClaimsRig;
beforeEach(async () => {
  rig = await startClaimsRig({});
});
afterEach(() => rig.stop());

const record = (parts: Partial<AccountIdentity>): AccountRecord =>
  accountRecord({ authFileName: 'a.json', provider: 'codex', ...parts });
const claimOf = (account: AccountRecord, more: Partial<NewClaim> = {}): NewClaim => ({
  subject: JSON.stringify(account),
  account,
  details: null,
  untilMs: null,
  request: null,
  ...more,
});
const begin = (claims: readonly NewClaim[], enabled: AccountScope = { kind: 'accounts', accounts: [] }) =>
  rig.store.writer.run('beginDisabling', { owner: OWNER, claims, enabled });
const open = (owner = OWNER) => rig.store.reader.run('openClaims', owner);
const names = (claims: Awaited<ReturnType<typeof open>>) =>
  claims.map(({ account }) => `${account.authFileName}/${account.authIndex}`);

describe('claims', () => {
  test('are open until they end, and never reopen', async () => {
    const [one, two] = await begin([claimOf(record({ authIndex: 'x1' })), claimOf(record({ authIndex: 'x2' }))]);
    if (one === undefined || two === undefined) throw new Error('two claims expected');
    await rig.store.writer.run('settleClaims', { ids: [one.id, two.id, 99], as: 'held' });
    expect((await open()).map(({ state }) => state)).toEqual(['held', 'held']);
    await rig.store.writer.run('settleClaims', { ids: [one.id], as: 'ended' });
    await rig.store.writer.run('settleClaims', { ids: [one.id], as: 'held' });
    expect(names(await open())).toEqual(['a.json/x2']);
  });

  test('of accounts that are found enabled end, whoever owned them, also those with fewer members', async () => {
    await begin([claimOf(record({ accountId: 'id-1' })), claimOf(record({ authIndex: 'x2' }))]);
    const enabled = { kind: 'accounts', accounts: [record({ authIndex: 'x1', accountId: 'id-1' })] } as const;
    const claims = [claimOf(record({ authIndex: 'x1' }))];
    await rig.store.writer.run('beginDisabling', { owner: 'another', claims, enabled });
    expect([names(await open()), names(await open('another'))]).toEqual([['a.json/x2'], ['a.json/x1']]);
  });

  test('that ended are kept for 90 days', async () => {
    const db = openDatabase(rig.path);
    const [old, fresh] = await begin([claimOf(record({ authIndex: 'x1' })), claimOf(record({ authIndex: 'x2' }))]);
    await rig.store.writer.run('settleClaims', { ids: [old?.id ?? 0], as: 'ended' });
    db.query('UPDATE account_claims SET updated_at_ms = ? WHERE id = ?').run(Date.now() - 91 * DAY_MS, old?.id ?? 0);
    await rig.store.writer.run('settleClaims', { ids: [fresh?.id ?? 0], as: 'ended', lastError: 'gone' });
    expect(db.query('SELECT id, last_error FROM account_claims').all()).toEqual([
      { id: fresh?.id, last_error: 'gone' },
    ]);
    db.close();
  });
});

describe('requests', () => {
  const account = record({ authIndex: 'x1' });
  const request = (untilMs: number | null, nowMs = Date.now()) => {
    const db = openDatabase(rig.path);
    requestClaim(db, OWNER, { subject: 's', account, details: { untilMs }, untilMs }, nowMs);
    db.close();
  };
  const due = (nowMs = Date.now()) =>
    rig.store.reader.run('dueClaims', { owner: OWNER, state: 'requested', nowMs, aheadMs: 0, limit: 10 });

  test('of one subject are one: the one whose reason ends last, under a new id', async () => {
    request(5_000);
    const [first] = await due();
    request(3_000);
    request(9_000);
    const [second, ...others] = await due();
    expect([second?.untilMs, others]).toEqual([9_000, []]);
    expect(second?.id).toBeGreaterThan(first?.id ?? 0);
  });

  test('become the claim, and a newer one waits', async () => {
    request(5_000);
    const [first] = await due();
    const [claim] = await begin([claimOf(account, { subject: 's', request: first?.id ?? 0, untilMs: 5_000 })]);
    expect(claim).toMatchObject({ id: first?.id, state: 'disabling' });
    request(9_000);
    expect(await due()).toMatchObject([{ untilMs: 9_000 }]);
    // The first one did not happen, and the newer one replaces it.
    await rig.store.writer.run('settleClaims', { ids: [first?.id ?? 0], as: 'requested' });
    expect([await due(), await open()]).toMatchObject([[{ untilMs: 9_000 }], []]);
  });

  test('that were withdrawn meanwhile start nothing', async () => {
    request(null);
    const [first] = await due();
    const db = openDatabase(rig.path);
    withdrawRequests(db, OWNER, 's');
    db.close();
    expect(await begin([claimOf(account, { request: first?.id ?? 0 })])).toEqual([]);
    expect(await open()).toEqual([]);
  });

  test('that failed are retried with growing delays, but soon when the gateway did not answer', async () => {
    const nowMs = Date.now();
    request(null, nowMs);
    const [{ id } = { id: 0 }] = await due();
    const postpone = (soon: boolean) => rig.store.writer.run('postponeClaims', { ids: [id], lastError: 'no', soon });
    for (const soon of [true, true, false, false]) await postpone(soon);
    const next = await rig.store.reader.run('nextClaimTime', { owner: OWNER, aheadMs: 0 });
    expect(Math.round(((next ?? 0) - nowMs) / 10_000)).toBe(3);
    expect([await due(), (await due(nowMs + 60_000)).length]).toEqual([[], 1]);
  });
});

test('held claims are due when their reason has ended, later by a clock that is ahead', async () => {
  const nowMs = Date.now();
  const claims = await begin([
    claimOf(record({ authIndex: 'x1' }), { untilMs: nowMs + 10_000 }),
    claimOf(record({ authIndex: 'x2' })),
  ]);
  await rig.store.writer.run('settleClaims', { ids: claims.map(({ id }) => id), as: 'held' });
  const due = (atMs: number, aheadMs: number) =>
    rig.store.reader.run('dueClaims', { owner: OWNER, state: 'held', nowMs: atMs, aheadMs, limit: 10 });
  expect(await due(nowMs + 9_999, 0)).toEqual([]);
  expect(names(await due(nowMs + 10_000, 0))).toEqual(['a.json/x1']);
  expect(await due(nowMs + 10_000, 1)).toEqual([]);
  expect(await rig.store.reader.run('nextClaimTime', { owner: OWNER, aheadMs: 500 })).toBe(nowMs + 10_500);
});

test('claims are due at once after a clock was set back', async () => {
  const nowMs = Date.now();
  const earlierMs = nowMs - 3_600_000;
  const db = openDatabase(rig.path);
  requestClaim(db, OWNER, { subject: 's', account: record({ authIndex: 'x1' }), details: null, untilMs: null }, nowMs);
  db.close();
  const [held] = await begin([claimOf(record({ authIndex: 'x2' }), { untilMs: earlierMs })]);
  await rig.store.writer.run('settleClaims', { ids: [held?.id ?? 0], as: 'held' });
  const due = (state: 'requested' | 'held', atMs: number) =>
    rig.store.reader.run('dueClaims', { owner: OWNER, state, nowMs: atMs, aheadMs: 0, limit: 10 });
  expect(names(await due('requested', earlierMs))).toEqual(['a.json/x1']);
  expect(names(await due('held', earlierMs))).toEqual(['a.json/x2']);
  // A retry is not longer ahead than this.
  expect(await due('requested', nowMs - 60_000)).toEqual([]);
});

describe('a manual change', () => {
  const wanted = { kind: 'deletion' } as const;

  test.each<[string, AccountScope, string[]]>([
    ['everything', { kind: 'all' }, ['a.json/', 'a.json/x1', 'a.json/x2', 'b.json/x1']],
    ['a file', { kind: 'files', fileNames: ['a.json', 'a.json', 'none'] }, ['a.json/', 'a.json/x1', 'a.json/x2']],
    [
      'an account, with claims that know less',
      { kind: 'accounts', accounts: [record({ authIndex: 'x1', accountId: 'id-1' })] },
      ['a.json/', 'a.json/x1'],
    ],
    [
      'an account whose index is known, whatever else is said of it',
      { kind: 'accounts', accounts: [record({ authIndex: 'x1', accountId: 'other' })] },
      ['a.json/x1'],
    ],
    [
      'an account without index, by its id',
      { kind: 'accounts', accounts: [record({ accountId: 'id-2' })] },
      ['a.json/x2'],
    ],
    ['another provider', { kind: 'accounts', accounts: [record({ provider: 'xai', authIndex: 'x1' })] }, []],
    ['another file', { kind: 'accounts', accounts: [record({ authFileName: 'c.json', authIndex: 'x1' })] }, []],
  ])('ends the claims of %s, and puts them back as they were', async (_, scope, expected) => {
    const claims = await begin([
      claimOf(record({ accountId: 'id-1' })),
      claimOf(record({ authIndex: 'x1', accountId: 'id-1' })),
      claimOf(record({ authIndex: 'x2', accountId: 'id-2' })),
      claimOf(record({ authFileName: 'b.json', authIndex: 'x1' })),
    ]);
    await rig.store.writer.run('settleClaims', { ids: [claims[1]?.id ?? 0], as: 'held' });
    const before = await open();
    const begun = await rig.store.writer.run('beginManualChange', { scope, wanted });
    const left = names(await open());
    expect(
      names(before)
        .filter((name) => !left.includes(name))
        .sort(),
    ).toEqual(expected);
    if (begun === null) return expect(expected).toEqual([]);
    const settled = { id: begun.id, decided: begun.fileNames, unchanged: begun.fileNames };
    await rig.store.writer.run('settleManualChange', settled);
    await rig.store.writer.run('settleManualChange', settled);
    expect(await open()).toEqual(before);
  });

  test('restores nothing over a newer claim, nor a claim it may have changed', async () => {
    const account = record({ authIndex: 'x1' });
    await begin([claimOf(account), claimOf(record({ authFileName: 'b.json', authIndex: 'x1' }))]);
    const begun = await rig.store.writer.run('beginManualChange', { scope: { kind: 'all' }, wanted });
    const fresh = await begin([claimOf(account)]);
    await rig.store.writer.run('settleManualChange', {
      id: begun?.id ?? 0,
      decided: begun?.fileNames ?? [],
      unchanged: ['a.json'],
    });
    expect(await open()).toEqual(fresh);
  });

  test('of several files is open for those with an unknown result', async () => {
    await begin(['a.json', 'b.json'].map((authFileName) => claimOf(record({ authFileName, authIndex: 'x1' }))));
    const begun = await rig.store.writer.run('beginManualChange', { scope: { kind: 'all' }, wanted });
    const id = begun?.id ?? 0;
    const settle = (file: string) =>
      rig.store.writer.run('settleManualChange', { id, decided: [file], unchanged: ['a.json', 'b.json'] });
    await settle('a.json');
    expect(names(await open())).toEqual(['a.json/x1']);
    expect(await rig.store.reader.run('openManualChanges', null)).toMatchObject([{ id, fileNames: ['b.json'] }]);
    await settle('b.json');
    expect(names(await open())).toEqual(['a.json/x1', 'b.json/x1']);
    expect(await rig.store.reader.run('openManualChanges', null)).toEqual([]);
  });
});
