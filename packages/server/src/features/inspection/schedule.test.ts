import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { InspectionSchedule } from '@manager/core/contract/inspection/config';
import { createInspectionRig, heldWork, INSPECTION, type InspectionRig, NOTHING_DONE } from './testing/rig.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let rig: InspectionRig;
beforeAll(async () => {
  rig = await createInspectionRig();
});
beforeEach(() => rig.reset());
afterAll(() => rig.close());

function schedule(changes: Partial<InspectionSchedule>): void {
  rig.settings = { ...rig.settings, enabled: true, schedule: { ...rig.settings.schedule, ...changes } };
}

interface Scheduled {
  readonly trigger_key: string;
  readonly status: string;
  readonly started_at_ms: number;
}

const scheduled = () =>
  rig.db
    .query<Scheduled, []>(
      `SELECT trigger_key, status, started_at_ms
       FROM inspection_runs
       WHERE trigger_type = 'scheduled'
       ORDER BY number`,
    )
    .all();
const keys = () => scheduled().map((run) => run.trigger_key);

/** A tick at the given time; resolves when the started work has ended. */
async function tickAt(ms: number): Promise<void> {
  rig.clock = ms;
  await rig.tick();
  await idle();
}

async function idle(): Promise<void> {
  for (;;) {
    const { body } = await rig.call('GET', `${INSPECTION}/runs`);
    if (!JSON.stringify(body).includes('"active":true')) return;
  }
}

/** Ticks every 30 seconds, the end included. */
async function ticks(fromMs: number, toMs: number): Promise<void> {
  for (let ms = fromMs; ms <= toMs; ms += 30_000) await tickAt(ms);
}

describe('by interval', () => {
  test('starts at once, then one interval after the end of the last one', async () => {
    schedule({ intervalMinutes: 60 });
    const held = heldWork();
    rig.work = held.run;
    rig.clock = Date.UTC(2026, 5, 1, 10);
    await rig.tick();
    await held.begun;
    expect(scheduled()).toMatchObject([{ status: 'running', started_at_ms: Date.UTC(2026, 5, 1, 10) }]);
    rig.clock = Date.UTC(2026, 5, 1, 10, 2, 10);
    held.release();
    await idle();
    rig.work = async () => NOTHING_DONE;
    await tickAt(Date.UTC(2026, 5, 1, 11, 2, 9));
    expect(keys()).toHaveLength(1);
    await tickAt(Date.UTC(2026, 5, 1, 11, 2, 10));
    expect(keys()).toEqual([
      `interval:60:${Date.UTC(2026, 5, 1, 10) / HOUR}`,
      `interval:60:${Date.UTC(2026, 5, 1, 11) / HOUR}`,
    ]);
  });

  test('is not changed by manual runs', async () => {
    schedule({ intervalMinutes: 60 });
    const start = rig.clock;
    await tickAt(start);
    for (let run = 1; run <= 25; run += 1) {
      rig.clock = start + run * MINUTE;
      await rig.ended(await rig.started());
    }
    await tickAt(start + HOUR - 1);
    expect(keys()).toHaveLength(1);
    await tickAt(start + HOUR);
    expect(keys()).toHaveLength(2);
  });

  test('continues after a restart: an overdue run starts with the first check, others wait', async () => {
    schedule({ intervalMinutes: 60 });
    const start = rig.clock;
    await tickAt(start);
    await rig.restart();
    await tickAt(start + 30 * MINUTE);
    expect(keys()).toHaveLength(1);
    await rig.restart();
    await tickAt(start + 5 * HOUR);
    expect(keys()).toHaveLength(2);
  });

  test('a run that failed or was interrupted counts as well', async () => {
    schedule({ intervalMinutes: 60 });
    const start = rig.clock;
    rig.work = () => Promise.reject(new Error('no'));
    await tickAt(start);
    expect(scheduled()).toMatchObject([{ status: 'failed' }]);
    await tickAt(start + 59 * MINUTE);
    expect(keys()).toHaveLength(1);
    const held = heldWork();
    rig.work = held.run;
    rig.clock = start + HOUR;
    await rig.tick();
    await held.begun;
    await rig.restart({ killed: true });
    rig.work = async () => NOTHING_DONE;
    await tickAt(start + HOUR + MINUTE);
    expect(scheduled()).toMatchObject([{ status: 'failed' }, { status: 'interrupted' }]);
    await tickAt(start + 2 * HOUR + MINUTE);
    expect(keys()).toHaveLength(3);
  });

  test('a key is used once, also when the clock is set back', async () => {
    schedule({ intervalMinutes: 1 });
    const start = rig.clock;
    await tickAt(start);
    await tickAt(start + MINUTE);
    rig.db.run('UPDATE inspection_runs SET finished_at_ms = 0, started_at_ms = started_at_ms - 3600000');
    await tickAt(start + 30_000);
    expect(keys()).toHaveLength(2);
    expect(rig.log.lines).toEqual([]);
  });
});

describe('by times of day', () => {
  test('starts in the minute of a time point, once', async () => {
    schedule({ mode: 'time_points', timePoints: ['09:30', '21:05'], timeZone: 'Asia/Shanghai' });
    const day = Date.UTC(2026, 5, 1);
    await ticks(day + HOUR + 29 * MINUTE + 13_000, day + HOUR + 32 * MINUTE);
    await ticks(day + 13 * HOUR + 4 * MINUTE, day + 13 * HOUR + 6 * MINUTE);
    expect(keys()).toEqual(['2026-06-01 09:30', '2026-06-01 21:05']);
  });

  test('without a zone means the zone of the machine', async () => {
    schedule({ mode: 'time_points', timePoints: ['12:00'] });
    rig.serverZone = 'America/New_York';
    await tickAt(Date.UTC(2026, 5, 1, 12));
    await tickAt(Date.UTC(2026, 5, 1, 16));
    expect(keys()).toEqual(['2026-06-01 12:00']);
    rig.serverZone = 'Etc/Unknown';
    await tickAt(Date.UTC(2026, 5, 2, 12));
    expect(keys()).toEqual(['2026-06-01 12:00', '2026-06-02 12:00']);
  });

  test('a minute that clocks repeat counts once', async () => {
    schedule({ mode: 'time_points', timePoints: ['02:30'], timeZone: 'Europe/Berlin' });
    await ticks(Date.UTC(2026, 9, 25, 0, 29), Date.UTC(2026, 9, 25, 0, 32));
    await ticks(Date.UTC(2026, 9, 25, 1, 29), Date.UTC(2026, 9, 25, 1, 32));
    expect(keys()).toEqual(['2026-10-25 02:30']);
  });

  test('a minute that clocks skip never starts a run', async () => {
    schedule({ mode: 'time_points', timePoints: ['02:30', '03:30'], timeZone: 'Europe/Berlin' });
    await ticks(Date.UTC(2026, 2, 29, 0, 29), Date.UTC(2026, 2, 29, 0, 31));
    await ticks(Date.UTC(2026, 2, 29, 1, 29), Date.UTC(2026, 2, 29, 1, 31));
    expect(keys()).toEqual(['2026-03-29 03:30']);
  });

  test('a missed time point, or one during another run, is not made up for', async () => {
    schedule({ mode: 'time_points', timePoints: ['10:01', '10:05'] });
    const start = Date.UTC(2026, 5, 1, 10);
    const held = heldWork();
    rig.work = held.run;
    const manual = await rig.started();
    rig.clock = start + MINUTE;
    await rig.tick();
    held.release();
    await rig.ended(manual);
    await rig.restart();
    await tickAt(start + 6 * MINUTE);
    expect(keys()).toEqual([]);
  });

  test('a key that was used stays used after a restart in the same minute', async () => {
    schedule({ mode: 'time_points', timePoints: ['10:01'] });
    await tickAt(Date.UTC(2026, 5, 1, 10, 1, 5));
    await rig.restart();
    await tickAt(Date.UTC(2026, 5, 1, 10, 1, 35));
    expect(keys()).toEqual(['2026-06-01 10:01']);
    expect(rig.log.lines).toEqual([]);
  });
});

describe('nothing is started', () => {
  test('while the schedule is disabled, and without a gateway', async () => {
    await tickAt(rig.clock);
    schedule({ intervalMinutes: 1 });
    rig.configured = false;
    await tickAt(rig.clock + MINUTE);
    expect(keys()).toEqual([]);
    rig.configured = true;
    await tickAt(rig.clock + MINUTE);
    expect(keys()).toHaveLength(1);
  });

  test('when earlier runs cannot be read', async () => {
    schedule({ intervalMinutes: 60 });
    rig.db.run('ALTER TABLE inspection_runs RENAME COLUMN finished_at_ms TO hidden');
    rig.clock += MINUTE;
    await rig.tick();
    await rig.tick();
    rig.db.run('ALTER TABLE inspection_runs RENAME COLUMN hidden TO finished_at_ms');
    expect(keys()).toEqual([]);
    expect(rig.log.lines).toMatchObject([{ level: 'error' }]);
    await tickAt(rig.clock);
    expect(keys()).toHaveLength(1);
  });

  test('when the schedule is disabled between the decision and the start', async () => {
    schedule({ intervalMinutes: 60 });
    const on = rig.settings;
    let asked = 0;
    Object.defineProperty(rig, 'settings', {
      configurable: true,
      get: () => ({ ...on, enabled: ++asked < 3 }),
    });
    await rig.tick();
    Object.defineProperty(rig, 'settings', { configurable: true, writable: true, enumerable: true, value: on });
    expect(asked).toBe(3);
    expect(keys()).toEqual([]);
  });

  test('once the manager stops', async () => {
    schedule({ intervalMinutes: 1 });
    await tickAt(rig.clock);
    await rig.inspection.stop();
    rig.inspection.start();
    await Bun.sleep(5);
    expect(keys()).toHaveLength(1);
  });
});
