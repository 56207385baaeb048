/** A remark on one record of a payload. */
export interface RecordRemark {
  /** For example `line 7`. */
  readonly where: string;
  /** Repeats no value of the record. */
  readonly reason: string;
}

/** The first remarks of a payload, returned once each. */
export interface Remarks {
  add(where: () => string, reason: string): void;
  /** Those since the previous call. */
  take(): readonly RecordRemark[];
}

/** Limit of reported remarks; a file may have one on every line. */
const MAX_REMARKS = 20;

export function createRemarks(): Remarks {
  let count = 0;
  let pending: RecordRemark[] = [];
  return {
    add(where, reason) {
      if (count >= MAX_REMARKS) return;
      count += 1;
      pending.push({ where: where(), reason });
    },
    take() {
      const taken = pending;
      pending = [];
      return taken;
    },
  };
}
