import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { AppError } from '@manager/core/contract/errors';
import { until } from '@manager/core/testing/until';
import { ADMIN } from '../../http/testing.ts';
import type { ArchiveStage } from './stages/stage.ts';
import { ARCHIVES, type ArchiveRig, coverage, createArchiveRig } from './testing/rig.ts';

let rig: ArchiveRig;
beforeEach(async () => {
  rig = await createArchiveRig({ events: 20 });
});
afterEach(() => rig.close());

const act = (id: string, action: string, query = '') => rig.call('POST', `${ARCHIVES}/${id}/${action}${query}`);

/** Several rounds of the runner; its pauses end at once. */
async function rounds(count = 4): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    rig.tick();
    await Bun.sleep(20);
  }
}

/** As many rounds as it takes. */
const roundsUntil = (condition: () => boolean) =>
  until(() => {
    rig.tick();
    return condition();
  });

const pending = (id: string) => rig.site.runRow(id).requested_stage;
const locks = () => rig.site.db.query('SELECT operation FROM usage_maintenance_locks').values().flat();

describe('a stage', () => {
  test('is done once for concurrent callers', async () => {
    const id = await rig.created();
    const stages: ArchiveStage[] = [];
    const held = Promise.withResolvers<void>();
    rig.hooks.run = async (stage) => {
      stages.push(stage);
      await held.promise;
    };
    const waiting = [act(id, 'resume'), act(id, 'resume'), act(id, 'resume', '?background=true')];
    await until(() => stages.length > 0);
    expect(locks()).toEqual(['archiving']);
    // Not the active stage.
    expect(await act(id, 'verify')).toMatchObject({ status: 409, code: 'usage_archive_invalid_state' });
    expect(await act(id, 'cancel')).toMatchObject({ status: 409, code: 'usage_archive_invalid_state' });
    held.resolve();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 202]);
    expect(stages).toEqual(['archiving']);
    expect(pending(id)).toBeNull();
    expect(locks()).toEqual([]);
  });

  test('continues when the waiting caller disconnects', async () => {
    const id = await rig.created();
    const held = Promise.withResolvers<void>();
    let begun = false;
    rig.hooks.run = () => {
      begun = true;
      return held.promise;
    };
    const caller = new AbortController();
    const url = `${rig.server.url}${ARCHIVES}/${id}/resume`;
    const call = fetch(url, { method: 'POST', headers: ADMIN, signal: caller.signal }).catch(() => 'gone');
    await until(() => begun);
    caller.abort();
    expect(await call).toBe('gone');
    held.resolve();
    await until(() => rig.status(id) === 'archived');
  });

  test('of one run waits for that of another', async () => {
    const first = await rig.created();
    await act(first, 'resume');
    const more = ['{"timestamp":"2026-09-05T00:00:00Z","model":"m","request_id":"late","tokens":{"input_tokens":5}}'];
    await rig.site.ingest(more);
    const second = await rig.created();
    const order: string[] = [];
    const held = Promise.withResolvers<void>();
    rig.hooks.run = async (stage, { runId }) => {
      order.push(`${stage} ${runId === first ? 'first' : 'second'}`);
      await held.promise;
    };
    const verify = act(first, 'verify');
    await until(() => order.length === 1);
    const resume = act(second, 'resume');
    await Bun.sleep(30);
    expect(order).toEqual(['verifying first']);
    held.resolve();
    expect((await verify).status).toBe(200);
    expect((await resume).status).toBe(200);
    expect(order).toEqual(['verifying first', 'archiving second']);
  });

  test('shows its progress without a new update time', async () => {
    const id = await rig.created();
    const held = Promise.withResolvers<void>();
    let begun = false;
    rig.hooks.run = async (_stage, { progress }) => {
      await progress({ phase: 'archiving_records', current: 7, total: 20, unit: 'events' });
      // Too soon after the previous one.
      await progress({ phase: 'archiving_records', current: 8, total: 20, unit: 'events' });
      begun = true;
      await held.promise;
    };
    await act(id, 'resume', '?background=true');
    await until(() => begun);
    const { body } = await rig.call('GET', `${ARCHIVES}/${id}`);
    expect(body.run).toMatchObject({
      progress: {
        phase: 'archiving_records',
        current: 7,
        total: 20,
        unit: 'events',
        updated_at_ms: expect.any(Number),
      },
    });
    expect(rig.site.runRow(id).updated_at_ms).toBe(rig.site.runRow(id).started_at_ms);
    held.resolve();
    await until(() => rig.status(id) === 'archived');
    expect((await rig.call('GET', `${ARCHIVES}/${id}`)).body.run).not.toHaveProperty('progress');
    const late = { phase: 'archiving_records', current: 9, total: 20 } as const;
    await rig.site.store.writer.run('writeArchiveProgress', { runId: id, stage: 'archiving', progress: late });
    expect(rig.site.runRow(id).progress_phase).toBeNull();
  });
});

describe('a stage that fails', () => {
  test('is reported to waiting callers, releases the lock and is not retried automatically', async () => {
    const id = await rig.created();
    let tries = 0;
    rig.hooks.run = async (_stage, { progress }) => {
      tries += 1;
      await progress({ phase: 'archiving_records', current: 3, total: 20, unit: 'events' });
      throw new Error('ENOSPC: no space left on device, write /archives/x');
    };
    const answer = await act(id, 'resume');
    expect(answer).toMatchObject({ status: 500, code: 'request_failed' });
    expect(JSON.stringify(answer.body)).not.toMatch(/ENOSPC|archives\/x/);
    await rounds();
    expect(tries).toBe(1);
    expect(locks()).toEqual([]);
    expect(rig.site.runRow(id)).toMatchObject({
      status: 'failed',
      resume_status: 'archiving',
      requested_stage: null,
      progress_phase: 'archiving_records',
      last_error: expect.stringContaining('ENOSPC'),
    });
    delete rig.hooks.run;
    expect((await act(id, 'resume')).status).toBe(200);
    expect(rig.site.runRow(id)).toMatchObject({ status: 'archived', resume_status: null, last_error: null });
  });

  test('for missing derived data is retried in the background until it exists', async () => {
    const id = await rig.created();
    let tries = 0;
    rig.hooks.run = () => {
      tries += 1;
      if (tries < 3) throw coverage();
    };
    expect((await act(id, 'resume', '?background=true')).status).toBe(202);
    await until(() => tries === 1 && rig.status(id) === 'failed');
    expect(rig.site.runRow(id)).toMatchObject({ resume_status: 'archiving', requested_stage: 'archiving' });
    expect(locks()).toEqual([]);
    await roundsUntil(() => rig.status(id) === 'archived');
    expect(tries).toBe(3);
    await until(() => pending(id) === null);
  });

  test('for missing derived data is not retried when a caller waits', async () => {
    const id = await rig.created();
    let tries = 0;
    rig.hooks.run = () => {
      tries += 1;
      throw coverage();
    };
    expect(await act(id, 'resume')).toMatchObject({ status: 409, code: 'usage_archive_coverage_incomplete' });
    await rounds();
    expect(tries).toBe(1);
    expect(rig.site.runRow(id)).toMatchObject({ status: 'failed', requested_stage: null });
  });

  test('for another reason in the background is not retried', async () => {
    const id = await rig.created();
    let tries = 0;
    rig.hooks.run = () => {
      tries += 1;
      throw new Error('damaged');
    };
    await act(id, 'resume', '?background=true');
    await until(() => rig.status(id) === 'failed');
    await rounds();
    expect(tries).toBe(1);
    expect(pending(id)).toBeNull();
  });

  test('before it is entered changes nothing; in the background it is retried', async () => {
    const id = await rig.created();
    let tries = 0;
    rig.hooks.prepare = () => {
      tries += 1;
      if (tries < 4) throw coverage();
    };
    expect(await act(id, 'resume')).toMatchObject({ status: 409, code: 'usage_archive_coverage_incomplete' });
    await rounds();
    expect(tries).toBe(1);
    expect(rig.site.runRow(id)).toMatchObject({ status: 'previewed', requested_stage: null, last_error: null });
    await act(id, 'resume', '?background=true');
    await until(() => tries === 2);
    await Bun.sleep(20);
    expect(rig.site.runRow(id)).toMatchObject({ status: 'previewed', requested_stage: 'archiving' });
    await roundsUntil(() => rig.status(id) === 'archived');
    expect(tries).toBe(4);
  });

  test('after its end was committed has not failed', async () => {
    const id = await rig.created();
    const { stages } = rig.site;
    rig.hooks.run = async (stage, context) => {
      await stages.run(stage, context);
      throw new Error('reading it back went wrong');
    };
    expect((await act(id, 'resume')).status).toBe(200);
    expect(rig.site.runRow(id)).toMatchObject({ status: 'archived', last_error: null, requested_stage: null });
  });

  test('and cannot be recorded keeps its stage and lock, and continues later', async () => {
    const id = await rig.created();
    rig.site.db.run(
      `CREATE TRIGGER full BEFORE UPDATE ON usage_archive_runs WHEN new.status = 'failed'
       BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    );
    let tries = 0;
    rig.hooks.run = () => {
      tries += 1;
      if (tries === 1) throw new Error('disk full');
    };
    expect((await act(id, 'resume')).status).toBe(500);
    expect(rig.site.runRow(id)).toMatchObject({ status: 'archiving', requested_stage: 'archiving' });
    expect(locks()).toEqual(['archiving']);
    rig.site.db.run('DROP TRIGGER full');
    await roundsUntil(() => rig.status(id) === 'archived');
    expect(locks()).toEqual([]);
  });

  test('because another run holds the lock waits for it in the background', async () => {
    const id = await rig.created();
    rig.site.db.run(
      `INSERT INTO usage_archive_runs (number, id, mode, schema_version, format, status, cutoff_timestamp_ms,
         target_event_id, event_count, estimated_bytes, created_at_ms, updated_at_ms)
       VALUES (99, '0199a0000000700080000000000000ee', 'manual', 1, 'gzip-jsonl-v1', 'archived', 1, 1, 1, 1, 1, 1)`,
    );
    rig.site.db.run("INSERT INTO usage_maintenance_locks VALUES ('usage_archive', 99, 'verifying', 1, 1)");
    expect(await act(id, 'resume')).toMatchObject({ status: 409, code: 'usage_archive_maintenance_locked' });
    expect(pending(id)).toBeNull();
    await act(id, 'resume', '?background=true');
    await rounds();
    expect(rig.site.runRow(id)).toMatchObject({ status: 'previewed', requested_stage: 'archiving' });
    rig.site.db.run('DELETE FROM usage_maintenance_locks');
    await roundsUntil(() => rig.status(id) === 'archived');
  });
});

describe('after a restart', () => {
  test('a requested stage is done', async () => {
    const id = await rig.created();
    await rig.runner.stop();
    rig.site.db.run("UPDATE usage_archive_runs SET requested_stage = 'archiving'");
    await rig.restart();
    await until(() => rig.status(id) === 'archived');
    await until(() => pending(id) === null);
  });

  test('an active stage continues, without the next one', async () => {
    const id = await rig.created();
    let begun = false;
    rig.hooks.run = (_stage, { signal }) => {
      begun = true;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const waiting = act(id, 'resume');
    await until(() => begun);
    await rig.restart();
    expect(await waiting).toMatchObject({ status: 503, code: 'usage_archive_unavailable' });
    delete rig.hooks.run;
    await rig.restart();
    await until(() => rig.status(id) === 'archived' && pending(id) === null);
    await rounds();
    expect(rig.status(id)).toBe('archived');
  });

  test('an active run without a request is found by its status', async () => {
    const id = await rig.created();
    await act(id, 'resume');
    await rig.runner.stop();
    rig.site.db.run("UPDATE usage_archive_runs SET status = 'verifying'");
    rig.site.db.run("INSERT INTO usage_maintenance_locks VALUES ('usage_archive', 1, 'verifying', 1, 1)");
    await rig.restart();
    await until(() => rig.status(id) === 'verified' && pending(id) === null);
    expect(locks()).toEqual([]);
  });

  test('a completed request is removed, also when it is the only thing left', async () => {
    const id = await rig.created();
    await act(id, 'resume');
    await act(id, 'verify');
    await rig.runner.stop();
    rig.site.db.run("UPDATE usage_archive_runs SET requested_stage = 'verifying'");
    const stages: string[] = [];
    rig.hooks.run = (stage) => void stages.push(stage);
    await rig.restart();
    await until(() => pending(id) === null);
    expect(stages).toEqual([]);
    expect(rig.status(id)).toBe('verified');
  });

  test.each(['failed', 'cancelled'])('a %s run is not started again', async (status) => {
    const id = await rig.created();
    await rig.runner.stop();
    rig.site.db.query("UPDATE usage_archive_runs SET status = ?, resume_status = 'archiving'").run(status);
    await rig.restart();
    await rounds();
    expect(rig.site.runRow(id)).toMatchObject({ status, requested_stage: null });
  });
});

test('a stopped runner accepts no work', async () => {
  const id = await rig.created();
  await rig.runner.stop();
  expect(await act(id, 'resume')).toMatchObject({ status: 503, code: 'usage_archive_unavailable' });
  expect(rig.runner.submitted(id, 'archiving', false)).rejects.toBeInstanceOf(AppError);
});
