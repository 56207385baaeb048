import {
  createForeignKeys,
  type ForeignEntry,
  type ForeignKey,
  type ForeignKeys,
  type ForeignKeysDeps,
} from './foreign-keys.ts';
import { createRefusalRow, MOST_IN_A_ROW, type RefusalRow } from './refusal-row.ts';

/** Callers may use many addresses, and each of their refusals is paid back: all those of a second together. */
const PAY_EVERY_MS = 1000;
const MAX_ADDRESSES = 2000;
const MOST_POSSIBLE = MOST_IN_A_ROW - 2;

export interface CallerKey extends ForeignKey {
  /** Under which the gateway counts the caller; null = under the manager's. */
  readonly address: string | null;
}

export interface CallerKeys {
  enter(key: CallerKey, signal?: AbortSignal): Promise<ForeignEntry>;
}

interface Remote {
  readonly keys: ForeignKeys;
  readonly row: RefusalRow;
}

/**
 * The gate for all callers with a key of their own. Behind NAT the gateway may know the manager by an address that it does not know
 * itself, and a caller may have or claim that one. So every address has a row of its own, and is treated as if it were the manager's.
 */
export function createCallerKeys(deps: ForeignKeysDeps): CallerKeys {
  const { gate, now, after } = deps;
  const remotes = new Map<string, Remote>();
  let nextPay: Promise<void> | null = null;
  let paidAtMs = Number.NEGATIVE_INFINITY;

  gate.row.others = worstRemote;
  const local = createForeignKeys({ ...deps, gate: { ...gate, ownRefusals: () => withOthers(worstRemote()) } });

  /**
   * One of the rows may be that of the manager, with its own refusals in it. A saved key that may be wrong makes room itself, so that
   * nobody waits for callers with another address.
   */
  function withOthers(others: number): { readonly counted: number; readonly possible: number } {
    const { counted, possible } = gate.ownRefusals();
    return { counted, possible: Math.min(possible, MOST_POSSIBLE) + others };
  }

  function worstRemote(): number {
    let worst = 0;
    for (const { row } of remotes.values()) worst = Math.max(worst, row.count() + row.waiting);
    return worst;
  }

  function payTogether(): Promise<void> {
    nextPay ??= new Promise<void>((begin) => {
      after(Math.max(paidAtMs + PAY_EVERY_MS - now(), 0), () => {
        nextPay = null;
        paidAtMs = now();
        begin();
      });
    }).then(deps.payBack);
    return nextPay;
  }

  function remoteOf(address: string): Remote {
    const found = remotes.get(address) ?? createRemote();
    // In order of use.
    remotes.delete(address);
    remotes.set(address, found);
    if (remotes.size > MAX_ADDRESSES) forgetOne();
    return found;
  }

  function createRemote(): Remote {
    const row = createRefusalRow(now);
    const keys = createForeignKeys({
      gate: {
        row,
        snapshot: gate.snapshot,
        ownRefusals: () => withOthers(gate.row.count() + gate.row.waiting),
      },
      async payBack() {
        const mark = row.mark();
        await payTogether();
        row.accepted(mark);
      },
      now,
      after,
    });
    return { keys, row };
  }

  /** The one that was not used for longest, of those that owe nothing if there are any. */
  function forgetOne(): void {
    let oldest: string | undefined;
    for (const [address, { row }] of remotes) {
      oldest ??= address;
      if (row.count() + row.waiting > 0) continue;
      remotes.delete(address);
      return;
    }
    if (oldest !== undefined) remotes.delete(oldest);
  }

  return {
    enter: ({ address, ...key }, signal) => (address === null ? local : remoteOf(address).keys).enter(key, signal),
  };
}
