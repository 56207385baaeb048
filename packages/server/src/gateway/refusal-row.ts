/** The gateway forgets refusals without a new one after two hours, in an hourly job. */
export const FORGOTTEN_MS = 3 * 60 * 60 * 1000;
/** The fifth refusal in a row, whatever their distance, bans the caller's address for 30 minutes. */
export const MOST_IN_A_ROW = 4;

/**
 * Refused keys of callers in a row that the gateway counts under the manager's address, together with those of the saved key.
 * Whatever it accepts from this address ends the row.
 */
export interface RefusalRow {
  count(): number;
  /** Requests of callers that may still become refusals. */
  waiting: number;
  refused(): void;
  /** A moment, for `accepted`. */
  mark(): number;
  /** A call that began at the mark was accepted; refusals after the mark may have been counted later. */
  accepted(mark: number): void;
  /** A ban ended, and the gateway began at zero. */
  clear(): void;
  /** Those of a remote address, which may be the manager's as the gateway sees it. */
  others: () => number;
  /** Called when the gateway has forgotten refusals, so that somebody's turn may have come. */
  onForgotten: () => void;
  /** When the row is forgotten without an accepted call. */
  endsAtMs(): number;
}

export function createRefusalRow(now: () => number): RefusalRow {
  let total = 0;
  let forgotten = 0;
  let lastAtMs = 0;

  const row: RefusalRow = {
    waiting: 0,
    others: () => 0,
    onForgotten() {},
    count() {
      if (now() - lastAtMs >= FORGOTTEN_MS) forgotten = total;
      return total - forgotten;
    },
    refused() {
      total += 1;
      lastAtMs = now();
    },
    mark: () => total,
    accepted(mark) {
      if (mark <= forgotten) return;
      forgotten = mark;
      row.onForgotten();
    },
    clear() {
      row.accepted(total);
    },
    endsAtMs: () => lastAtMs + FORGOTTEN_MS,
  };
  return row;
}
