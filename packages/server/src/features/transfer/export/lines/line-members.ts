import { inferBillableOutput, inferInputBuckets } from '@manager/core/usage/cache-accounting';
import type { UsageEvent } from '@manager/core/usage/event';
import { NORMALIZED_MEMBERS } from '@manager/core/usage/export-line';
import { metadataObject } from '@manager/core/usage/metadata-text';
import { withoutReasoningSuffix } from '@manager/core/usage/models';
import type { JsonBytes } from '../../../../events/detail/packed/json-bytes.ts';
import { memberPlace, type PackedEvent } from '../../../../events/detail/packed/packed-event.ts';
import { NUMBER, PLAIN, type Slots } from '../../../../events/detail/packed/slots.ts';

/** Writes a member that has its own rule. False: the line cannot be written from the detail. */
export type Special = () => boolean;

const CLOSE_PARENTHESIS = 41;
const encoder = new TextEncoder();
const NULL = encoder.encode('null');

/** What is before the value of a member. */
export function prefixOf(name: string, isFirst = false): Uint8Array {
  return encoder.encode(`${isFirst ? '{' : ','}"${name}":`);
}

/** Writes a member with the value of a slot. */
export function writeMember(slots: Slots, slot: number, out: JsonBytes, prefix: Uint8Array): void {
  const kind = slots.kindOf(slot);
  if (kind >= PLAIN) {
    slots.writeQuoted(slot, out, prefix);
    return;
  }
  out.all(prefix);
  if (kind === NUMBER) out.number(slots.numberOf(slot));
  else out.all(NULL);
}

/** The rules of `exportLine` for single members. */
export function specialMembers(event: PackedEvent, out: JsonBytes): { readonly [Name in keyof UsageEvent]?: Special } {
  const { slots, members } = event;

  /** Writes a count unless it has a value that is left out. */
  function count(name: (typeof COUNTS)[number], omitted: () => number): Special {
    const place = memberPlace(name);
    const prefix = prefixOf(name);
    return () => {
      const value = slots.numberOf(event.slot(place));
      if (value === omitted()) return true;
      out.all(prefix);
      out.number(value);
      return true;
    };
  }

  const nothing: Special = () => true;
  return {
    model: modelWriter(event, out),
    cache_write_1h_tokens: count('cache_write_1h_tokens', () => 0),
    normalized_uncached_input_tokens: bucketWriter(event, out),
    normalized_total_input_tokens: nothing,
    normalized_cache_read_tokens: nothing,
    normalized_cache_creation_tokens: nothing,
    billable_output_tokens: count('billable_output_tokens', () =>
      inferBillableOutput(members, members, members.normalized_total_input_tokens),
    ),
    unclassified_tokens: count('unclassified_tokens', () => 0),
    token_quality: qualityWriter(event, out),
    failed: flagWriter(event, out),
    response_metadata_json: metadataWriter(event, out),
  };
}

const COUNTS = ['cache_write_1h_tokens', 'billable_output_tokens', 'unclassified_tokens'] as const;

function modelWriter(event: PackedEvent, out: JsonBytes): Special {
  const { slots } = event;
  const model = memberPlace('model');
  const requested = memberPlace('requested_model');
  const prefix = prefixOf('model');
  const analyticsPrefix = prefixOf('analytics_model');
  return () => {
    const shown = event.slot(model);
    writeMember(slots, shown, out, prefix);
    const asked = event.slot(requested);
    const chosen = slots.lengthOf(asked) === 0 ? shown : asked;
    const length = slots.lengthOf(chosen);
    if (length === 0) return true;
    let without = 0;
    if (slots.byteAt(chosen, length - 1) === CLOSE_PARENTHESIS) {
      const text = slots.textOf(chosen);
      // A suffix is ASCII of which nothing is escaped.
      without = text.length - withoutReasoningSuffix(text).length;
    }
    slots.writeQuoted(chosen, out, analyticsPrefix, without);
    return true;
  };
}

function bucketWriter(event: PackedEvent, out: JsonBytes): Special {
  const { slots, members } = event;
  const buckets = NORMALIZED_MEMBERS.map((name) => ({ name, place: memberPlace(name), prefix: prefixOf(name) }));
  return () => {
    const inferred = inferInputBuckets(members.cache_input_mode, members);
    for (const { name, place, prefix } of buckets) {
      const value = slots.numberOf(event.slot(place));
      if (value === inferred[name]) continue;
      out.all(prefix);
      out.number(value);
    }
    return true;
  };
}

function qualityWriter(event: PackedEvent, out: JsonBytes): Special {
  const { slots, members } = event;
  const place = memberPlace('token_quality');
  const prefix = prefixOf('token_quality');
  return () => {
    if (members.token_quality !== 'inconsistent' && members.token_quality !== 'unclassified') return true;
    writeMember(slots, event.slot(place), out, prefix);
    return true;
  };
}

function flagWriter(event: PackedEvent, out: JsonBytes): Special {
  const { members } = event;
  const yes = encoder.encode(',"failed":true');
  const no = encoder.encode(',"failed":false');
  return () => {
    out.all(members.failed ? yes : no);
    return true;
  };
}

function metadataWriter({ values }: PackedEvent, out: JsonBytes): Special {
  const prefix = prefixOf('response_metadata');
  return () => values.object(out, prefix, writtenAgain);
}

/** Null when it is no object. */
function writtenAgain(text: string): string | null {
  const object = metadataObject(text);
  return object === null ? null : JSON.stringify(object);
}
