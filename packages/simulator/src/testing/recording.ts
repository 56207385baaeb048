import text from '../fixtures/gateway-recorded.jsonl' with { type: 'text' };
import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** One management request to a real gateway v7.2.140, and its answer. */
export interface RecordedStep {
  /** Name of what the step shows. */
  readonly step: string;
  readonly method: string;
  /** Relative to the management API, or absolute where it starts with `/v0`. */
  readonly path: string;
  readonly key: 'management' | 'none' | 'other';
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body?: JsonValue;
  readonly status: number;
  readonly contentType?: string;
  readonly disposition?: string;
  readonly cacheControl?: string;
  readonly json?: JsonValue;
  readonly text?: string;
}

/** All steps, in their order. */
export const RECORDED_STEPS: readonly RecordedStep[] = text
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as RecordedStep);

/** The address of the providers in the recording, and the one behind it: ids of keys are computed from the latter. */
const NEUTRAL_PROVIDERS = 'http://provider.test:9443';
const PROVIDERS = 'http://127.0.0.1:24005';
/** Stands for the hash of the management key. */
const HASH = '<bcrypt hash>';
const HASH_PATTERN = /\$2a\$10\$[\w-]{53}/g;

/** A recorded text as it was sent. */
export function asSent(recorded: string, hash: string): string {
  return recorded.replaceAll(NEUTRAL_PROVIDERS, PROVIDERS).replaceAll(HASH, hash);
}

/** An answer, with the same parts made neutral as in the recording. */
export function asRecorded(answer: string): string {
  return answer.replaceAll(PROVIDERS, NEUTRAL_PROVIDERS).replace(HASH_PATTERN, HASH);
}

/** Members whose values are ids that cannot be computed from the recording; those of configured keys (`auth-index`) can. */
const IDS = ['auth_index', 'state', 'next-cursor'];
/** Members whose values are such ids, times, sizes or counters. */
const FREE = new Set([
  ...IDS,
  ...['created_at', 'modtime', 'updated_at', 'time', 'latest-timestamp', 'modified'],
  ...['size', 'success', 'failed', 'line-count'],
]);
/** Parts of an address that are ids. */
const FREE_PARAMETERS = ['state', 'code_challenge'];
/** Lists that the recording cuts after a few elements. */
const CUT = /^GET \/(model-definitions\/.*\.models|logs.*\.lines)$/;

/** What differs between a recorded body and an answer: members, types, and values that are not free. */
export function bodyDifferences(path: string, recorded: JsonValue, actual: JsonValue | undefined): string[] {
  const differs = (): string[] => [`${path}: ${JSON.stringify(recorded)} recorded, got ${JSON.stringify(actual)}`];
  if (kindOf(recorded) !== kindOf(actual)) return differs();
  if (Array.isArray(recorded) && Array.isArray(actual)) {
    const isShort = actual.length < recorded.length || (actual.length > recorded.length && !CUT.test(path));
    if (isShort) return [`${path}: ${recorded.length} elements recorded, got ${actual.length}`];
    return recorded.flatMap((element, index) => bodyDifferences(`${path}[${index}]`, element, actual[index]));
  }
  if (isObject(recorded) && isObject(actual)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(actual)])];
    return names.flatMap((name) => memberDifferences(`${path}.${name}`, recorded[name], actual[name], name));
  }
  return recorded === actual || /\.lines\[\d+\]$/.test(path) ? [] : differs();
}

function memberDifferences(
  path: string,
  recorded: JsonValue | undefined,
  actual: JsonValue | undefined,
  name: string,
): string[] {
  if (recorded === undefined) return [`${path}: not recorded, got ${JSON.stringify(actual)}`];
  if (actual === undefined) return [`${path}: ${JSON.stringify(recorded)} recorded, missing`];
  const isSimple = typeof recorded !== 'object' && typeof recorded === typeof actual;
  if (isSimple && FREE.has(name)) return [];
  if (name === 'url' && typeof recorded === 'string' && typeof actual === 'string')
    return bodyDifferences(path, withoutIds(recorded), withoutIds(actual));
  return bodyDifferences(path, recorded, actual);
}

function kindOf(value: JsonValue | undefined): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function withoutIds(address: string): string {
  const url = new URL(address);
  for (const name of FREE_PARAMETERS) if (url.searchParams.has(name)) url.searchParams.set(name, '');
  url.searchParams.sort();
  return url.href;
}

/** Ids of the recording with those that the simulator gave in their place. */
export function idsOf(recorded: JsonValue | undefined, actual: JsonValue | undefined): [string, string][] {
  if (Array.isArray(recorded) && Array.isArray(actual))
    return recorded.flatMap((element, index) => idsOf(element, actual[index]));
  if (!isObject(recorded) || !isObject(actual)) return [];
  return Object.entries(recorded).flatMap(([name, value]): [string, string][] => {
    const given = actual[name];
    if (IDS.includes(name) && typeof value === 'string' && typeof given === 'string') return [[value, given]];
    return idsOf(value, given);
  });
}

/** The recorded answer to a request. */
export function recordedAnswer(method: string, path: string): JsonObject {
  const step = RECORDED_STEPS.find((candidate) => candidate.method === method && candidate.path === path);
  if (!isObject(step?.json)) throw new Error(`nothing recorded for ${method} ${path}`);
  return step.json;
}
