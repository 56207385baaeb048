import type { Comparison } from './answers.ts';
import { isList, isObject, type Json, without } from './difference.ts';
import { CUTOFF_MS } from './questions.ts';

type JsonObject = { readonly [name: string]: Json | undefined };

/** The server's clock; `from_ms` and `to_ms` of the newest headers follow it too. */
const OF_THE_CLOCK = ['generated_at_ms'];

/**
 * Missing from an export, so another database cannot have it: row ids (cursor, checkpoint), addresses and user agent of the
 * client, and what only the original event contains.
 */
const NOT_EXPORTED = [
  ...['next_before_id', 'checkpoint', 'client_ip', 'x_forwarded_for', 'user_agent'],
  ...['auth_account_id_snapshot', 'response_model', 'session_id', 'parent_session_id', 'access_token_sha256'],
  ...['generate', 'stream'],
];

/** Sections that list single requests. After a deletion they show only what remains. */
const LISTS = ['events', 'recent_failures', 'drilldown_preview'];

const NO_EVENTS = { items: [], next_before_ms: 0, next_before_id: 0, has_more: false, total_count: 0 };

/** For a database filled by importing another one's export. */
export function afterImport(): Comparison {
  const dropped = new Set([...OF_THE_CLOCK, ...NOT_EXPORTED]);
  const comparable = (answer: Json) => without(withoutClockRange(answer), dropped);
  return {
    applies: () => true,
    found: comparable,
    expected: (recorded, index) => comparable(recorded.answer(index)),
  };
}

/**
 * After the events before the cutoff were deleted: everything but the lists of single requests is unchanged, and the lists
 * contain what is at or after the cutoff. The coverage object is checked separately, by `coverage.ts`.
 */
export function afterDeletion(): Comparison {
  const dropped = new Set([...OF_THE_CLOCK, 'coverage']);
  const comparable = (answer: Json): JsonObject => {
    const cleaned = without(withoutClockRange(answer), dropped);
    return isObject(cleaned) ? withoutTaskKeys(cleaned) : {};
  };
  return {
    applies: ({ ofRawRows }) => ofRawRows !== true,
    found: comparable,
    expected(recorded, index) {
      const before = comparable(recorded.answer(index));
      const sums = Object.fromEntries(Object.entries(before).filter(([name]) => !LISTS.includes(name)));
      return { ...withRemainingRequests(sums), ...remainingLists(before, recorded.remaining(index)) };
    },
  };
}

function remainingLists(before: JsonObject, remaining: Json | undefined): JsonObject {
  if (isObject(remaining))
    return Object.fromEntries(Object.entries(remaining).filter(([name]) => LISTS.includes(name)));
  if (before.events !== undefined) return { events: NO_EVENTS };
  // The dashboard's lists: newest first, so remaining rows come first.
  return isList(before.recent_failures) ? { recent_failures: before.recent_failures.filter(isNewer) } : {};
}

function isNewer(row: Json): boolean {
  return isObject(row) && typeof row.timestamp_ms === 'number' && row.timestamp_ms >= CUTOFF_MS;
}

function withoutClockRange(answer: Json): Json {
  if (!isObject(answer) || answer.to_ms === undefined || answer.to_ms !== answer.generated_at_ms) return answer;
  return without(answer, new Set(['from_ms', 'to_ms']));
}

/** The key of a task ends in a hash; its time digits below a millisecond are lost with the raw event. */
function withoutTaskKeys(answer: JsonObject): JsonObject {
  const tasks = answer.task_buckets;
  if (!isList(tasks)) return answer;
  const texts = tasks.map((task) => JSON.stringify(without(task, new Set(['bucket_key']))));
  return { ...answer, task_buckets: texts.sort() };
}

/** Account histories list their newest requests. */
function withRemainingRequests(answer: JsonObject): JsonObject {
  if (answer.checkpoint === undefined || !isList(answer.items)) return answer;
  return { ...answer, items: answer.items.map(remainingRequests) };
}

function remainingRequests(item: Json): Json {
  if (!isObject(item)) return item;
  const { latest_request: latest, recent_requests: recent, ...totals } = item;
  return {
    ...totals,
    ...(latest !== undefined && isNewer(latest) ? { latest_request: latest } : {}),
    ...(isList(recent) && recent.some(isNewer) ? { recent_requests: recent.filter(isNewer) } : {}),
  };
}
