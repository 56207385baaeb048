import { demoAccountFiles, demoAccounts } from './demo-accounts.ts';
import type { EventAccount } from './events/accounts.ts';
import { makeEvents } from './events/make-events.ts';
import type { GeneratedEvent, Simulator, Traffic } from './types.ts';

/** Requests per minute at night and in the busiest hour. */
const QUIET_PER_MINUTE = 40;
const BUSY_PER_MINUTE = 120;
const MINUTE_MS = 60_000;
/** The two accounts with problems were healthy until this long before the end of the history. */
const TROUBLE_MS = 3 * 3_600_000;
const HISTORY_PER_SECOND = 2_000;
const CONSUMER_POLL_MS = 100;

export interface DemoTime {
  /** Milliseconds. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** Replaces the simulator's auth files by the demo's and sends 40 to 120 requests a minute, by the hour of the day. */
export function startDemoTraffic(simulator: Simulator, { now, random }: DemoTime): { readonly stop: () => void } {
  const accounts = demoAccounts();
  installAccounts(simulator, accounts, now());
  const events = makeEvents({ seed: seedOf(random), accounts, now });
  let timer: ReturnType<typeof setTimeout> | null = null;

  function schedule(): void {
    // Exponential gaps: requests of independent clients.
    const gapMs = (-Math.log(1 - random()) * MINUTE_MS) / requestsPerMinute(now());
    timer = setTimeout(send, gapMs);
  }

  function send(): void {
    const event = events.next().value;
    void simulator.publish(event);
    writeAccessLog(simulator, event, now());
    schedule();
  }

  schedule();
  return {
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

function installAccounts(simulator: Simulator, accounts: readonly EventAccount[], nowMs: number): void {
  for (const row of simulator.authFiles()) simulator.removeAuthFile(String(row.name));
  for (const file of demoAccountFiles(accounts, nowMs)) simulator.addAuthFile(file);
}

function writeAccessLog(simulator: Simulator, event: GeneratedEvent, nowMs: number): void {
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ');
  const { request_id, latency_ms, endpoint, client_ip, fail } = JSON.parse(event.text);
  const [method, path] = String(endpoint).split(' ');
  const duration = `${(Number(latency_ms) / 1000).toFixed(2)}s`.padStart(13);
  const caller = String(client_ip).padStart(15);
  const line = `${fail.status_code} | ${duration} | ${caller} | ${(method ?? '').padEnd(7)} "${path ?? ''}"`;
  simulator.writeLog(`[${stamp}] [${request_id}] [${event.failed ? 'warn ' : 'info '}] [access.go:1] ${line}`);
  if (!event.failed) return;
  const name = `error${String(path).replaceAll(/[^A-Za-z0-9]+/g, '-')}-${stamp.replace(' ', 'T').replaceAll(':', '')}-${request_id}.log`;
  const head = `=== REQUEST INFO ===\nURL: ${path}\nMethod: ${method}\nTimestamp: ${new Date(nowMs).toISOString()}\n`;
  simulator.writeRequestLog({ name, text: `${head}\n=== RESPONSE ===\nStatus: ${fail.status_code}\n${fail.body}\n` });
}

/** Busiest in the early afternoon, quiet at night, half at the weekend; by the machine's local time. */
export function requestsPerMinute(atMs: number): number {
  const date = new Date(atMs);
  const hour = date.getHours() + date.getMinutes() / 60;
  const shape = Math.max(0, Math.cos(((hour - 14) / 24) * 2 * Math.PI)) ** 1.5;
  const isWeekEnd = date.getDay() === 0 || date.getDay() === 6;
  return QUIET_PER_MINUTE + (BUSY_PER_MINUTE - QUIET_PER_MINUTE) * shape * (isWeekEnd ? 0.5 : 1);
}

export interface HistoryOptions {
  readonly fromMs: number;
  readonly toMs: number;
  /** In [0, 1); default: seeded, so that a history of the same time is always the same. */
  readonly random?: () => number;
  /** Factor on the requests per minute; 1 makes about 90 000 events a day. */
  readonly scale?: number;
}

/** Events of the demo accounts over a past time, oldest first, with the daily shape of the live traffic. */
export function* backfillEvents(options: HistoryOptions): Generator<GeneratedEvent, void> {
  const { fromMs, toMs, scale = 1 } = options;
  const random = options.random ?? seeded();
  const troubled = demoAccounts();
  const healthy = troubled.map((account) => ({ ...account, trouble: null }));
  let atMs = fromMs;
  const now = (): number => atMs;
  const before = makeEvents({ seed: seedOf(random), accounts: healthy, now });
  const after = makeEvents({ seed: seedOf(random), accounts: troubled, now });
  for (;;) {
    atMs += (-Math.log(1 - random()) * MINUTE_MS) / (requestsPerMinute(atMs) * scale);
    if (atMs >= toMs) return;
    atMs = Math.floor(atMs);
    yield (atMs < toMs - TROUBLE_MS ? before : after).next().value;
  }
}

function seeded(): () => number {
  let state = 20_260_901;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function seedOf(random: () => number): number {
  return Math.floor(random() * 2 ** 31);
}

/** Publishes a history as soon as there is a consumer: earlier it would expire. */
export function publishHistory(simulator: Simulator, events: Iterator<GeneratedEvent>): Omit<Traffic, 'done'> {
  let traffic: Traffic | null = null;
  const poll = setInterval(() => {
    const isPolled = simulator.requests({ path: '/v0/management/usage-queue' }).length > 0;
    const isPopped = simulator.requests({ method: 'RPOP' }).length + simulator.requests({ method: 'LPOP' }).length > 0;
    if (simulator.subscribers().length === 0 && !isPolled && !isPopped) return;
    clearInterval(poll);
    traffic = simulator.startTraffic({ rate: HISTORY_PER_SECOND, events });
  }, CONSUMER_POLL_MS);
  return {
    sent: () => traffic?.sent() ?? 0,
    stop() {
      clearInterval(poll);
      traffic?.stop();
    },
  };
}
