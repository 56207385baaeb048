import { type EventAccount, type GeneratedEvent, makeAccounts, makeEvents } from '@manager/simulator';
import { ACCOUNTS, clientKeys, HISTORY_END_MS } from './events.ts';

/** Steady traffic of a large gateway, per minute: quota windows must move on as fast as they do for an operator. */
const PER_MINUTE = 5_000;
const FIVE_HOURS_MS = 5 * 3_600_000;
/** Windows of the past that every account is known by, so that as much is known of it as after some days. */
const PAST_WINDOWS = 8;

export interface CodexTraffic {
  readonly accounts: readonly EventAccount[];
  /** One event of each account in each of the past windows. */
  past(): Iterable<GeneratedEvent>;
  /** Endless. */
  following(): Iterator<GeneratedEvent>;
  /** When the event that was made last ended. */
  nowMs(): number;
}

/** Traffic of Codex accounts only: every answer that succeeds tells of a five-hour and a weekly window. */
export function codexTraffic(seed: number): CodexTraffic {
  const accounts = makeAccounts(ACCOUNTS * 4)
    .filter(({ provider }) => provider === 'codex')
    .slice(0, ACCOUNTS);
  let nowMs = HISTORY_END_MS;
  const shared = { clientKeys: clientKeys(), now: () => nowMs };
  return {
    accounts,
    nowMs: () => nowMs,
    *past() {
      const generators = accounts.map((account, index) => makeEvents({ ...shared, seed: index, accounts: [account] }));
      for (let window = PAST_WINDOWS; window > 0; window -= 1) {
        nowMs = HISTORY_END_MS - window * FIVE_HOURS_MS;
        for (const generator of generators) yield generator.next().value;
      }
    },
    *following() {
      const events = makeEvents({ ...shared, seed, accounts });
      for (let index = 0; ; index += 1) {
        nowMs = HISTORY_END_MS + Math.floor((index * 60_000) / PER_MINUTE);
        yield uneven(events.next().value, index);
      }
    },
  };
}

const RESETS = /("X-Codex-(?:Primary|Secondary)-Reset-At":\[")(\d+)/g;

/** Providers count the seconds to a reset anew with every answer, so its time moves by one now and then. */
function uneven(event: GeneratedEvent, index: number): GeneratedEvent {
  const shift = (index * 7_919) % 3;
  if (shift === 2) return event;
  return { ...event, text: event.text.replace(RESETS, (_, name, at) => `${name}${Number(at) + shift}`) };
}
