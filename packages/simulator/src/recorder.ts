import type { RecordedRequest, RequestFilter } from './types.ts';

/** A record that is still being written to. */
export type OpenRecord = {
  -readonly [Name in Exclude<keyof RecordedRequest, 'headers' | 'body'>]: RecordedRequest[Name];
} & {
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  bodyKept: Buffer;
};

type NewRecord = Pick<OpenRecord, 'connectionId' | 'protocol' | 'method' | 'target' | 'path' | 'rawHeaders' | 'args'>;

/** Ordered memory of every request and command. */
export interface Recorder {
  open(record: NewRecord): OpenRecord;
  addBody(record: OpenRecord, bytes: Uint8Array): void;
  list(filter?: RequestFilter): RecordedRequest[];
  clear(): void;
}

/** Bytes of a body that are kept. */
const BODY_LIMIT = 64 * 1024;
const NO_BODY = Buffer.alloc(0);

export function createRecorder(options: { readonly now: () => number; readonly limit: number }): Recorder {
  let records: OpenRecord[] = [];
  let sequence = 0;
  return {
    open(record) {
      sequence += 1;
      const opened: OpenRecord = {
        ...record,
        sequence,
        atMs: options.now(),
        bodyKept: NO_BODY,
        bodyBytes: 0,
        status: 0,
        reply: '',
        consumedEvents: 0,
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
      const room = BODY_LIMIT - record.bodyKept.length;
      if (room > 0) record.bodyKept = Buffer.concat([record.bodyKept, bytes.subarray(0, room)]);
    },
    list(filter = {}) {
      return records
        .slice(-options.limit)
        .filter((record) => matches(record, filter))
        .map(({ bodyKept, rawHeaders, ...record }) => ({
          ...record,
          headers: headerPairs(rawHeaders),
          body: bodyKept.toString(),
        }));
    },
    clear() {
      records = [];
    },
  };
}

export function headerPairs(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length >> 1 }, (_, index) => [raw[index * 2] ?? '', raw[index * 2 + 1] ?? '']);
}

function matches(record: OpenRecord, filter: RequestFilter): boolean {
  if (filter.protocol !== undefined && filter.protocol !== record.protocol) return false;
  if (filter.method !== undefined && filter.method.toUpperCase() !== record.method) return false;
  return filter.path === undefined || matchesPath(filter.path, record.path);
}

/** Exact path, or a prefix when the pattern ends in `*`. */
export function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
