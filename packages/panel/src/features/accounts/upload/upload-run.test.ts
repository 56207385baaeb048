import { describe, expect, test } from 'bun:test';
import type { Account } from '../../../platform/accounts/account.ts';
import { accountsOf } from '../../../platform/accounts/testing/accounts.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { readSource } from './read-source.ts';
import { isReady, type PlannedUpload, planUploads, replan } from './upload-plan.ts';
import { runUploads } from './upload-run.ts';

const drafts = (...names: readonly string[]) =>
  names.flatMap((name, index) =>
    readSource(name, JSON.stringify({ type: 'codex' })).map((draft) => ({ ...draft, key: String(index) })),
  );
const LISTED = accountsOf({ name: 'old.json', size: 1, modtime: '1' });
const answer = (status: number) => new ApiError('status', 'the reason', { path: '/', atMs: 1, status });
const NO_ANSWER = new ApiError('network', 'gone', { path: '/', atMs: 1 });

async function run(
  planned: readonly PlannedUpload[],
  lists: readonly (readonly Account[] | ApiError)[],
  errors: Readonly<Record<string, ApiError>> = {},
  stopAfter = Number.POSITIVE_INFINITY,
) {
  const endings = new Map<string, string>();
  const sent: string[] = [];
  let listed = 0;
  await runUploads(planned, {
    list: async () => {
      const list = lists[Math.min(listed++, lists.length - 1)] ?? [];
      if (list instanceof ApiError) throw list;
      return list;
    },
    send: async (name) => {
      sent.push(name);
      const error = errors[name];
      if (error !== undefined) throw error;
    },
    wait: async () => {},
    isStopped: () => sent.length >= stopAfter,
    onEnding: (key, { kind }) => endings.set(key, kind),
  });
  return { endings: [...endings.values()], sent };
}

describe('before it is sent', () => {
  test('equal base names are refused, and an existing file needs a confirmation', () => {
    const planned = planUploads(drafts('a/x.json', 'b/X.json', 'old.json', 'new.txt'), LISTED);
    expect(planned.map(({ refusal }) => refusal)).toEqual([null, 'duplicate', null, 'extension']);
    expect(planned.map(isReady)).toEqual([true, false, false, false]);
    expect(planned[2]?.members.map(({ listed }) => listed.name)).toEqual(['old.json']);
  });

  test('a confirmation holds for the accounts that were shown', () => {
    const [old] = planUploads(drafts('old.json'), LISTED).map((upload) => ({ ...upload, replaces: true }));
    if (old === undefined) throw new Error('missing');
    expect(replan([old], LISTED).map(isReady)).toEqual([true]);
    const other = accountsOf({ name: 'old.json', email: 'other@example.test' });
    expect(replan([old], other).map(({ replaces }) => replaces)).toEqual([false]);
  });
});

describe('an upload', () => {
  const after = accountsOf({ name: 'old.json', size: 1, modtime: '1' }, { name: 'a.json' }, { name: 'b.json' });

  test('that fails stops no other, and files that the list lacks are named', async () => {
    const planned = planUploads(drafts('a.json', 'bad.json', 'b.json', 'gone.json'), LISTED);
    const { endings, sent } = await run(planned, [LISTED, LISTED, after], { 'bad.json': answer(500) });
    expect(sent).toEqual(['a.json', 'bad.json', 'b.json', 'gone.json']);
    expect(endings).toEqual(['done', 'failed', 'done', 'missing']);
  });

  test('does not overwrite a file that appeared meanwhile', async () => {
    const { endings, sent } = await run(planUploads(drafts('a.json', 'c.json'), LISTED), [after]);
    expect(sent).toEqual(['c.json']);
    expect(endings).toEqual(['conflict', 'missing']);
  });

  test('whose answer was lost is done when the list shows it, else not known', async () => {
    const planned = planUploads(drafts('a.json', 'old.json', 'c.json'), LISTED).map((upload) => ({
      ...upload,
      replaces: true,
    }));
    const errors = { 'a.json': NO_ANSWER, 'old.json': answer(504), 'c.json': NO_ANSWER };
    expect((await run(planned, [LISTED, after], errors)).endings).toEqual(['done', 'unknown', 'unknown']);
    const replaced = accountsOf({ name: 'old.json', size: 2, modtime: '2' });
    expect((await run(planned, [LISTED, replaced], errors)).endings).toEqual(['unknown', 'done', 'unknown']);
    // Accepted, but the list cannot be read.
    expect((await run(planned.slice(0, 1), [LISTED, NO_ANSWER])).endings).toEqual(['unknown']);
  });

  test('sends nothing when the list cannot be read, and no more once it is stopped', async () => {
    const planned = planUploads(drafts('a.json', 'b.json'), LISTED);
    await expect(run(planned, [answer(502)])).rejects.toThrow('the reason');
    expect((await run(planned, [LISTED, after], {}, 1)).sent).toEqual(['a.json']);
  });
});
