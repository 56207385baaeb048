/** A remark on one record of a payload. */
export interface RecordRemark {
  /** For example `line 7`. */
  readonly where: string;
  /** null for a part of a snapshot. */
  readonly line: number | null;
  /** Repeats no value of the record. */
  readonly reason: string;
}

export type Place = Pick<RecordRemark, 'where' | 'line'>;

/** The first remarks of a payload, returned once each. */
export interface Remarks {
  add(place: () => Place, reason: string): void;
  /** Those since the previous call. */
  take(): readonly RecordRemark[];
}

/** Limit of reported remarks; a file may have one on every line. */
const MAX_REMARKS = 20;

export function createRemarks(): Remarks {
  let count = 0;
  let pending: RecordRemark[] = [];
  return {
    add(place, reason) {
      if (count >= MAX_REMARKS) return;
      count += 1;
      pending.push({ ...place(), reason });
    },
    take() {
      const taken = pending;
      pending = [];
      return taken;
    },
  };
}
