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
const TOLD_REMARKS = 20;

export function createRemarks(): Remarks {
  let told = 0;
  let news: RecordRemark[] = [];
  return {
    add(where, reason) {
      if (told >= TOLD_REMARKS) return;
      told += 1;
      news.push({ where: where(), reason });
    },
    take() {
      const taken = news;
      news = [];
      return taken;
    },
  };
}
