import type { RecordedRequest, RequestFilter } from './types.ts';

/** A record that is still being written to. */
export interface OpenRecord {
  readonly sequence: number;
  readonly atMs: number;
  readonly connectionId: number;
  readonly protocol: 'http' | 'resp';
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly args: readonly string[];
  readonly bodyChunks: Uint8Array[];
  bodyKept: number;
  bodyBytes: number;
  status: number;
  reply: string;
  consumedEvents: number;
  answeredBytes: number;
  aborted: boolean;
  finished: boolean;
}

type NewRecord = Pick<OpenRecord, 'connectionId' | 'protocol' | 'method' | 'target' | 'path' | 'headers' | 'args'>;

/** Ordered memory of every request and command. */
export interface Recorder {
  open(record: NewRecord): OpenRecord;
  addBody(record: OpenRecord, bytes: Uint8Array): void;
  list(filter?: RequestFilter): RecordedRequest[];
  clear(): void;
}

export function createRecorder(options: {
  readonly now: () => number;
  readonly limit: number;
  readonly bodyLimit: number;
}): Recorder {
  let records: OpenRecord[] = [];
  let sequence = 0;
  return {
    open(record) {
      sequence += 1;
      const opened: OpenRecord = {
        ...record,
        sequence,
        atMs: options.now(),
        bodyChunks: [],
        bodyKept: 0,
        bodyBytes: 0,
        status: 0,
        reply: '',
        consumedEvents: 0,
        answeredBytes: 0,
        aborted: false,
        finished: false,
      };
      records.push(opened);
      // Cut rarely, so that a long run does not move the array on every request.
      if (records.length > options.limit * 2) records = records.slice(-options.limit);
      return opened;
    },
    addBody(record, bytes) {
      record.bodyBytes += bytes.length;
      const room = options.bodyLimit - record.bodyKept;
      if (room <= 0) return;
      const kept = Buffer.from(bytes.subarray(0, room));
      record.bodyChunks.push(kept);
      record.bodyKept += kept.length;
    },
    list(filter = {}) {
      return records
        .slice(-options.limit)
        .filter((record) => matches(record, filter))
        .map(({ bodyChunks, bodyKept, ...record }) => ({
          ...record,
          body: Buffer.concat(bodyChunks, bodyKept).toString(),
        }));
    },
    clear() {
      records = [];
    },
  };
}

function matches(record: OpenRecord, filter: RequestFilter): boolean {
  if (filter.protocol !== undefined && filter.protocol !== record.protocol) return false;
  if (filter.method !== undefined && filter.method.toUpperCase() !== record.method) return false;
  return filter.path === undefined || matchesPath(filter.path, record.path);
}

/** Exact path, or a prefix when the pattern ends `*`. */
export function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
