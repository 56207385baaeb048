/** One record of a payload that something is to be said of. */
export interface RecordRemark {
  /** For example `line 7`. */
  readonly where: string;
  /** Repeats nothing of the record. */
  readonly reason: string;
}

/** The first remarks of a payload, handed out once each. */
export interface Remarks {
  add(where: () => string, reason: string): void;
  /** Those since the last call. */
  take(): readonly RecordRemark[];
}

/** As many are told; a file may have one for every line. */
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
