import type { AccountSnapshot, AccountSnapshotTable } from '@manager/core/usage/event';
import { type EventAccount, type EventGenerator, makeAccounts, makeEvents } from '@manager/simulator';

/** Skewed traffic of a large gateway: a few accounts, models and client keys carry most of it. */
const ACCOUNTS = 500;
const MODELS = 50;
const KEYS = 50;
export const HISTORY_DAYS = 60;
/** Fixed end of the generated history, so that the same size and seed always give the same file. */
export const HISTORY_END_MS = Date.UTC(2026, 8, 1);

const DAY_MS = 86_400_000;
/** Share by which an hour's traffic differs from the day's mean, up to `1 / (1 - DAY_SWING)` at the busiest. */
const DAY_SWING = 0.7;
const PROJECTS = 20;

/** Accounts with their provider's models, spread over as many names as on a gateway with several providers. */
export function trafficAccounts(count = ACCOUNTS): EventAccount[] {
  const names = new Set<string>();
  return makeAccounts(count).map((account, index) => {
    const variant = Math.floor(index / 7) % 4;
    const models = account.models.map((model) => {
      const suffix = variant === 0 ? '' : `-v${variant + 1}`;
      const named = { ...model, name: model.name + suffix, alias: model.alias + suffix };
      if (!names.has(named.name) && names.size >= MODELS) return model;
      names.add(named.name);
      return named;
    });
    return { ...account, models };
  });
}

export function clientKeys(): string[] {
  return Array.from({ length: KEYS }, (_, index) => `sim-client-key-${String(index + 1).padStart(4, '0')}`);
}

/** What the collector would have read from the gateway's account list. */
export function accountSnapshots(accounts: readonly EventAccount[], fetchedAtMs: number): AccountSnapshotTable {
  const byAuthIndex: Record<string, AccountSnapshot> = {};
  for (const [index, account] of accounts.entries()) {
    if (account.fileName === '') continue;
    byAuthIndex[account.authIndex] = {
      account: account.source,
      label: '',
      file: account.fileName,
      provider: account.provider,
      projectId: account.provider === 'antigravity' ? `sim-project-${index % PROJECTS}` : '',
    };
  }
  return { fetchedAtMs, byAuthIndex };
}

export interface TimedEvents {
  readonly events: EventGenerator;
  /** When the latest event ended, which is when a manager would have received it. */
  nowMs(): number;
}

/** `count` events over the days before `HISTORY_END_MS`, quiet at night. */
export function historyEvents(count: number, seed: number, accounts = trafficAccounts()): TimedEvents {
  const startMs = HISTORY_END_MS - HISTORY_DAYS * DAY_MS;
  return timed(seed, accounts, (index) => startMs + shapedDays((HISTORY_DAYS * index) / count) * DAY_MS);
}

/** Endless events at a steady rate from the end of the history. */
export function followingEvents(ratePerSecond: number, seed: number): TimedEvents {
  return timed(seed, trafficAccounts(), (index) => HISTORY_END_MS + (index * 1000) / ratePerSecond);
}

function timed(seed: number, accounts: EventAccount[], timeOf: (index: number) => number): TimedEvents {
  let index = 0;
  let nowMs = 0;
  const now = () => {
    nowMs = Math.floor(timeOf(index));
    index += 1;
    return nowMs;
  };
  return { events: makeEvents({ seed, accounts, clientKeys: clientKeys(), now }), nowMs: () => nowMs };
}

/** Monotone, the same at every whole day; steep (few events for much time) around midnight. */
function shapedDays(days: number): number {
  return days + (DAY_SWING * Math.sin(2 * Math.PI * days)) / (2 * Math.PI);
}
