import type { AuthFileList } from '../../gateway/auth-file-list.ts';
import type { CollectorTiming } from './timing.ts';

/** Readings without any activity after which they become rare. */
const IDLE_READINGS = 3;
/** A list that is larger, or takes longer, costs the gateway more than the reading is worth. */
const LARGE_LIST_BYTES = 4 * 1024 * 1024;
const SLOW_LIST_MS = 1_000;
/** A doubt that so many readings in a row did not settle is not settled by faster ones. */
const DOUBTFUL_READINGS = 8;

/** When the next reading is due. */
export interface ReadingPace {
  read(reading: {
    readonly list: Pick<AuthFileList, 'bytes' | 'fetchedAtMs' | 'answeredAtMs'>;
    readonly isActive: boolean;
    /** It was short of events. */
    readonly isDoubtful: boolean;
  }): void;
  nextMs(): number;
  /** Clients are active; true when the next reading would come late. */
  wake(): boolean;
}

export function createReadingPace(timing: CollectorTiming): ReadingPace {
  let idle = 0;
  let doubtful = 0;
  let isCostly = false;
  return {
    read({ list, isActive, isDoubtful }) {
      idle = isActive ? 0 : idle + 1;
      doubtful = isDoubtful ? doubtful + 1 : 0;
      isCostly = list.bytes > LARGE_LIST_BYTES || list.answeredAtMs - list.fetchedAtMs > SLOW_LIST_MS;
    },
    nextMs() {
      if (doubtful > 0) return doubtful <= DOUBTFUL_READINGS && !isCostly ? timing.doubtfulReadingMs : timing.readingMs;
      return isCostly || idle >= IDLE_READINGS ? timing.rareReadingMs : timing.readingMs;
    },
    wake() {
      const wasIdle = idle >= IDLE_READINGS;
      idle = 0;
      return wasIdle && !isCostly && doubtful === 0;
    },
  };
}
