import { inferBillableOutput, inferInputBuckets } from './cache-accounting.ts';
import type { UsageEvent } from './event.ts';
import { EVENT_MEMBERS, type EventMember, MEMBER_NAMES } from './event-members.ts';
import { metadataObject } from './metadata-text.ts';
import { analyticsModel } from './models.ts';

type Line = Record<string, unknown>;

/** Caller data, raw failure text and the original item are never exported. */
const NEVER: ReadonlySet<EventMember> = new Set([
  'client_ip',
  'x_forwarded_for',
  'user_agent',
  'fail_body',
  'raw_json',
] as const);
const ALWAYS: ReadonlySet<EventMember> = new Set(['event_hash', 'timestamp', 'model'] as const);

/** Members with their own rule, at their position. */
const SPECIAL: { readonly [Name in EventMember]?: (line: Line, event: UsageEvent) => void } = {
  model(line, event) {
    line.model = event.model;
    const analytics = analyticsModel(event);
    if (analytics !== '') line.analytics_model = analytics;
  },
  cache_write_1h_tokens(line, event) {
    if (event.cache_write_1h_tokens !== 0) line.cache_write_1h_tokens = event.cache_write_1h_tokens;
  },
  // Writes the four of them.
  normalized_uncached_input_tokens: putBuckets,
  normalized_total_input_tokens() {},
  normalized_cache_read_tokens() {},
  normalized_cache_creation_tokens() {},
  billable_output_tokens(line, event) {
    if (event.billable_output_tokens !== inferBillableOutput(event, event, event.normalized_total_input_tokens)) {
      line.billable_output_tokens = event.billable_output_tokens;
    }
  },
  unclassified_tokens(line, event) {
    if (event.unclassified_tokens !== 0) line.unclassified_tokens = event.unclassified_tokens;
  },
  token_quality(line, event) {
    if (event.token_quality === 'inconsistent' || event.token_quality === 'unclassified') {
      line.token_quality = event.token_quality;
    }
  },
  response_metadata_json(line, event) {
    const metadata = metadataObject(event.response_metadata_json);
    if (metadata !== null) line.response_metadata = metadata;
  },
};

/** Written together: only those that cannot be inferred. */
export const NORMALIZED_MEMBERS = [
  'normalized_uncached_input_tokens',
  'normalized_total_input_tokens',
  'normalized_cache_read_tokens',
  'normalized_cache_creation_tokens',
] as const;

/** Only what cannot be inferred from the reported counts. */
function putBuckets(line: Line, event: UsageEvent): void {
  const inferred = inferInputBuckets(event.cache_input_mode, event);
  for (const name of NORMALIZED_MEMBERS) if (event[name] !== inferred[name]) line[name] = event[name];
}

/**
 * In the order of the line, with the value that is left out; a member that is always written never has the value `undefined`. The first
 * one is always written.
 */
export const EXPORTED_MEMBERS = MEMBER_NAMES.filter((name) => !NEVER.has(name)).map((name) => ({
  name,
  special: SPECIAL[name] ?? null,
  omitted: ALWAYS.has(name) ? undefined : emptyOf(name),
}));

function emptyOf(name: EventMember): '' | null | undefined {
  switch (EVENT_MEMBERS[name]) {
    case 'text':
      return '';
    case 'optional':
    case 'ratio':
      return null;
    default:
      return undefined;
  }
}

/**
 * One export record: a JSON object in one line, without the line feed. Empty texts and unknown numbers are left out, 0 is
 * written. Importing the line gives the same event.
 */
export function exportLine(event: UsageEvent): string {
  const line: Line = {};
  for (const { name, special, omitted } of EXPORTED_MEMBERS) {
    if (special !== null) special(line, event);
    else if (event[name] !== omitted) line[name] = event[name];
  }
  return JSON.stringify(line);
}
