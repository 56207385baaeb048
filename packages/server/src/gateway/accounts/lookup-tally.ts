/** Lookups in a row without an answer after which the gateway counts as away. A single one may be caused by its account. */
const PATIENCE = 3;

/** Results of the look-ups in one pass over many accounts. */
export interface LookupTally {
  note(isAnswered: boolean): void;
  /** Too many in a row had no answer. */
  isAway(): boolean;
  anyAnswered(): boolean;
}

export function createLookupTally(): LookupTally {
  let inARow = 0;
  let anyAnswered = false;
  return {
    note(isAnswered) {
      inARow = isAnswered ? 0 : inARow + 1;
      anyAnswered ||= isAnswered;
    },
    isAway: () => inARow >= PATIENCE,
    anyAnswered: () => anyAnswered,
  };
}
