import { CLOCK_TOLERANCE_MS } from '../events/background/clock-readings.ts';

export interface ClockWatch {
  /** An answer of the gateway arrived, with this date. */
  heard(gatewayMs: number): void;
  /** How far the gateway's clock is ahead of the manager's, negative = behind; null = no difference is known. */
  gatewayAheadMs(): number | null;
}

export interface ClockWatchDeps {
  readonly now: () => number;
  /** Keeps a reading of both clocks. Returns how far the manager's clock was behind until now. */
  readonly note: (reading: { readonly ownMs: number; readonly gatewayMs: number }) => Promise<number>;
  /** The manager's clock was behind until now. */
  readonly onSetRight: () => void;
  readonly log: ClockLog;
}

export interface ClockLog {
  info(message: string): void;
  warn(message: string): void;
}

/** A single date may be that of an older answer. */
const AGREEING_ANSWERS = 3;
const NOTE_EVERY_MS = 60_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Compares the manager's clock with that of the gateway, and reports once when they differ by minutes. */
export function createClockWatch({ now, note, onSetRight, log }: ClockWatchDeps): ClockWatch {
  /** Gateway minus manager, newest last. */
  let recent: readonly number[] = [];
  let aheadMs: number | null = null;
  let noted: { readonly ownMs: number; readonly aheadMs: number } | null = null;
  let noting = false;

  function compare(): void {
    const newest = recent.at(-1) ?? 0;
    const agree = recent.length === AGREEING_ANSWERS && recent.every((one) => isNear(one, newest));
    if (!agree) return;
    const differs = !isNear(newest, 0);
    if (differs && aheadMs === null) {
      const side = newest > 0 ? 'behind' : 'ahead of';
      log.warn(
        `the clock of the manager is ${spanOf(newest)} ${side} that of the gateway; set the wrong one (NTP): “today” and which event times are possible follow the clock of the manager`,
      );
    }
    if (!differs && aheadMs !== null) log.info('the clocks of the manager and the gateway agree again');
    aheadMs = differs ? newest : null;
  }

  async function keep(ownMs: number, newest: number): Promise<void> {
    noting = true;
    try {
      const wasBehindMs = await note({ ownMs, gatewayMs: ownMs + newest });
      noted = { ownMs, aheadMs: newest };
      if (wasBehindMs === 0) return;
      log.warn(
        `the clock of the manager was ${spanOf(wasBehindMs)} behind until now; the received times of that time are corrected, and event times are judged by them again`,
      );
      onSetRight();
    } catch {
      // The next answer tries again; what is wrong with the database shows elsewhere.
    } finally {
      noting = false;
    }
  }

  return {
    heard(gatewayMs) {
      const ownMs = now();
      const newest = gatewayMs - ownMs;
      recent = [...recent, newest].slice(-AGREEING_ANSWERS);
      compare();
      const isDue = noted === null || !isNear(newest, noted.aheadMs) || Math.abs(ownMs - noted.ownMs) >= NOTE_EVERY_MS;
      if (isDue && !noting) void keep(ownMs, newest);
    },
    gatewayAheadMs: () => aheadMs,
  };
}

function isNear(oneMs: number, otherMs: number): boolean {
  return Math.abs(oneMs - otherMs) <= CLOCK_TOLERANCE_MS;
}

/** In whole days, hours or minutes. */
function spanOf(ms: number): string {
  const size = Math.abs(ms);
  if (size >= 2 * DAY_MS) return `${Math.round(size / DAY_MS)} days`;
  if (size >= 2 * HOUR_MS) return `${Math.round(size / HOUR_MS)} hours`;
  return `${Math.round(size / MINUTE_MS)} min`;
}
