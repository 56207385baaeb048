import type { RequestLog } from '../types.ts';

export interface LogPage {
  readonly lines: string[];
  readonly lineCount: number;
  readonly latestTimestamp: number;
  readonly nextCursor: string;
  readonly cursorReset: boolean;
}

interface LogFile extends RequestLog {
  readonly modifiedSeconds: number;
}

/** The log file, its rotated predecessors and the request logs. */
export interface LogStore {
  write(line: string): void;
  rotate(): void;
  /** Removes rotated files and empties the active one; returns how many were removed. */
  clear(): number;
  after(seconds: number, limit: number | null): LogPage;
  /** The first lines after a cursor; an unknown one gives the tail. */
  following(cursor: string, limit: number | null): LogPage;
  requestLogs(): readonly LogFile[];
  /** Adds the newest one; `most` are kept, 0 = all. */
  writeRequestLog(log: RequestLog, seconds: number, most: number): void;
}

interface Line {
  readonly text: string;
  readonly seconds: number;
}

/** The error log of the sample answers. */
const SAMPLE_ERROR: LogFile = {
  name: 'error-v1-responses-2026-09-01T080200-90ab12cd.log',
  text: '=== REQUEST INFO ===\nURL: /v1/responses\nMethod: POST\n'.padEnd(5120, '-'),
  modifiedSeconds: 1_788_249_720,
};

/** `requests`: the request logs; default: the one of the sample answers. */
export function createLogStore(requests?: readonly RequestLog[]): LogStore {
  let lines: Line[] = [];
  let rotated = 0;
  let generation = 1;
  const { modifiedSeconds } = SAMPLE_ERROR;
  const requestLogs: LogFile[] = requests?.map((log) => ({ ...log, modifiedSeconds })) ?? [SAMPLE_ERROR];

  function page(shown: readonly Line[], end: number, count: number, cursorReset = false): LogPage {
    return {
      lines: shown.map((line) => line.text),
      lineCount: count,
      latestTimestamp: lines.at(-1)?.seconds ?? 0,
      nextCursor: Buffer.from(`${generation}:${end}`).toString('base64url'),
      cursorReset,
    };
  }

  function tail(of: readonly Line[], limit: number | null): readonly Line[] {
    return limit === null ? of : of.slice(-limit);
  }

  function positionOf(cursor: string): number | null {
    const match = /^(\d+):(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString());
    const position = Number(match?.[2] ?? -1);
    return match !== null && Number(match[1]) === generation && position <= lines.length ? position : null;
  }

  return {
    write(text) {
      // Continuation lines have no timestamp of their own.
      const stamp = /^\[(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\]/.exec(text)?.[1];
      const seconds =
        stamp === undefined ? (lines.at(-1)?.seconds ?? 0) : Date.parse(`${stamp.replace(' ', 'T')}Z`) / 1000;
      lines.push({ text, seconds });
    },
    rotate() {
      rotated += 1;
      generation += 1;
      lines = [];
    },
    clear() {
      const removed = rotated;
      rotated = 0;
      generation += 1;
      lines = [];
      return removed;
    },
    after(seconds, limit) {
      if (seconds <= 0) {
        const end = tail(lines, limit);
        return page(end, lines.length, end.length);
      }
      // Counts also the later lines that the limit leaves out.
      const later = lines.filter((line) => line.seconds > seconds);
      return page(tail(later, limit), lines.length, later.length);
    },
    following(cursor, limit) {
      const position = positionOf(cursor);
      if (position === null) {
        const end = tail(lines, limit);
        return page(end, lines.length, end.length, true);
      }
      const rest = lines.slice(position);
      const shown = limit === null ? rest : rest.slice(0, limit);
      return page(shown, position + shown.length, shown.length);
    },
    requestLogs: () => requestLogs,
    writeRequestLog(log, seconds, most) {
      requestLogs.unshift({ ...log, modifiedSeconds: seconds });
      if (most > 0) requestLogs.splice(most);
    },
  };
}
