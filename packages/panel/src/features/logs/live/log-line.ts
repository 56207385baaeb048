/** What the gateway writes at the start of a line: `[time] [request id] [level] [source] message`. */
export interface LogHead {
  /** Clock of the gateway, without a zone: `2026-11-29 06:43:34`. */
  readonly stamp: string;
  /** '' = the line belongs to no request. */
  readonly requestId: string;
  /** `debug`, `info`, `warn`, `error`, `fatal`, `panic`; '' where the line has none. */
  readonly level: string;
  /** File and line of the gateway's code. */
  readonly source: string;
  readonly message: string;
  readonly access: AccessPart | null;
}

/** The message of a served request. */
interface AccessPart {
  readonly status: number;
  /** null = not readable. */
  readonly latencyMs: number | null;
  readonly ip: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** '' = none. */
  readonly error: string;
}

const STAMP = /^\[(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\]/;
const LEVELS = 'trace|debug|info|warn|warning|error|fatal|panic';
const HEAD = new RegExp(
  String.raw`^\[(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\] (?:\[([A-Za-z0-9_-]{1,64})\] )?\[(${LEVELS}) *\] (?:\[([^\]]{1,200})\] )?([\s\S]*)$`,
);
const ACCESS = /^(\d{3}) \| *([^ |]*) *\| *([^ |]*) *\| *([A-Z]+) +"((?:[^"\\]|\\.)*)"(?: \| ([\s\S]*))?$/;
const NO_REQUEST = /^-+$/;

/** Whether a line begins an entry; all others continue the one before. */
export const startsEntry = (line: string): boolean => STAMP.test(line);

/** null = the line continues another one. A line with a time alone is a message. */
export function readHead(line: string): LogHead | null {
  const stamp = STAMP.exec(line)?.[1];
  if (stamp === undefined) return null;
  const match = HEAD.exec(line);
  if (match === null) {
    const message = line.slice(stamp.length + 2).trim();
    return { stamp, requestId: '', level: '', source: '', message, access: null };
  }
  const [, , id = '', level = '', source = '', message = ''] = match;
  return {
    stamp,
    requestId: NO_REQUEST.test(id) ? '' : id,
    level: level === 'warning' ? 'warn' : level,
    source,
    message,
    access: readAccess(message),
  };
}

function readAccess(message: string): AccessPart | null {
  const match = ACCESS.exec(message);
  if (match === null) return null;
  const [, status, duration = '', ip = '', method = '', path = '', error = ''] = match;
  return { status: Number(status), latencyMs: readDuration(duration), ip, method, path, error };
}

const UNIT_MS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  µs: 0.001,
  μs: 0.001,
  us: 0.001,
  ns: 0.000_001,
};
const DURATION = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s|µs|μs|us|ns))+$/;

/** `1m2.5s` → 62500. */
export function readDuration(text: string): number | null {
  if (text.length > 40 || !DURATION.test(text)) return null;
  let sum = 0;
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|µs|μs|us|ns)/g)) {
    sum += Number(amount) * (UNIT_MS[unit] ?? 0);
  }
  return sum;
}

/** A stamp as if it were UTC, ms. */
export const stampMs = (stamp: string): number => Date.parse(`${stamp.replace(' ', 'T')}Z`);
