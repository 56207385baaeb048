import type { UsageEvent } from '@manager/core/usage/event';
import { identityText } from '@manager/core/usage/identity';
import { sha256Hex } from '../../../platform/sha256.ts';
import { BITMAP_BYTES, openDetail } from '../detail-codec.ts';
import { type Member, missingMembers, stored, VERSIONS } from '../members.ts';
import type { Value } from '../value-format.ts';
import { JsonBytes } from './json-bytes.ts';
import type { JsonWords } from './json-words.ts';
import { PackedValues } from './packed-values.ts';
import { NOTHING, NUMBER, type Slots } from './slots.ts';

/** Members that have a slot: all but the two JSON texts. */
const NAMES: readonly (keyof UsageEvent)[] = ['timestamp_ms', 'timestamp', ...VERSIONS[1].map(({ name }) => name)];
const BAR = 124;
const SPACE = 32;
const HASH_BYTES = 32;

/** Where a version's members get their usual values from. */
interface UsualSlots {
  /** Slot of the constant; −1 = see `others`. */
  readonly constants: Int32Array;
  readonly others: readonly (() => number)[];
}

function usualSlot(usual: UsualSlots | undefined, index: number): number {
  const constant = usual?.constants[index] ?? -1;
  return constant >= 0 ? constant : (usual?.others[index]?.() ?? 0);
}

type Members = Omit<UsageEvent, 'response_metadata_json' | 'raw_json'>;

/** Place of the slot of a member, for `PackedEvent.slot`. */
export function memberPlace(name: keyof UsageEvent): number {
  return NAMES.indexOf(name);
}

const TIMESTAMP_MS = memberPlace('timestamp_ms');
const TIMESTAMP = memberPlace('timestamp');
const ENDPOINT = memberPlace('endpoint');
const FAILED = memberPlace('failed');
/** Members of the identity, in its order. */
const IDENTITY_TEXTS = (['request_id', 'timestamp', 'endpoint', 'model', 'auth_index', 'source_hash'] as const).map(
  memberPlace,
);
const IDENTITY_COUNTS = (['input_tokens', 'output_tokens', 'reasoning_tokens'] as const).map(memberPlace);
const CACHED = memberPlace('cached_tokens');
const CACHE = memberPlace('cache_tokens');
const LATENCY = memberPlace('latency_ms');

/**
 * An event whose members are looked up in its detail: their bytes are copied where the event is written as JSON, and nothing
 * is made of what is not needed. Holds one event at a time.
 */
export class PackedEvent {
  readonly values: PackedValues;
  readonly slots: Slots;
  /** The members as of an event; each is read when it is needed. */
  readonly members: Members;
  readonly #bitmap = new Uint8Array(Math.max(...BITMAP_BYTES));
  readonly #slotOf = new Int32Array(NAMES.length);
  /** Slots of the constants, which stay. */
  readonly #constants = new Map<Value, number>();
  readonly #usual: readonly UsualSlots[];
  readonly #missing: readonly UsualSlots[];
  readonly #identity = new JsonBytes();
  readonly #hash = new Uint8Array(HASH_BYTES);

  constructor(words: JsonWords) {
    this.values = new PackedValues(words);
    this.slots = this.values.slots;
    this.members = this.#view();
    this.#usual = VERSIONS.map((members) => this.#usualSlots(members));
    this.#missing = ([0, 1] as const).map((version) => this.#usualSlots(missingMembers(version)));
  }

  /** Reads everything up to the response metadata, which is next. */
  open(detail: Uint8Array): void {
    const { bytes, at, version } = openDetail(detail);
    const { values } = this;
    const slotOf = this.#slotOf;
    values.begin(bytes, at, this.#constants.size);
    this.#openTime();
    const bitmap = BITMAP_BYTES[version] ?? 0;
    for (let index = 0; index < bitmap; index += 1) this.#bitmap[index] = values.byte();
    const members = VERSIONS[version].length;
    for (let index = 0; index < members; index += 1) {
      const isUnusual = ((this.#bitmap[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
      slotOf[index + 2] = isUnusual ? values.value() : usualSlot(this.#usual[version], index);
    }
    const missing = this.#missing[version]?.constants.length ?? 0;
    for (let index = 0; index < missing; index += 1) {
      slotOf[members + 2 + index] = usualSlot(this.#missing[version], index);
    }
  }

  /** Slot of the member at a place. */
  slot(place: number): number {
    return this.#slotOf[place] ?? 0;
  }

  /** Lets go of the event. */
  close(): void {
    this.slots.release(this.#constants.size);
    this.#identity.finish();
  }

  #openTime(): void {
    const { values, slots } = this;
    const head = values.varint();
    const timeMs = head % 2 === 0 ? values.varint() : -values.varint();
    const nanos = Math.floor(head / 2) - 1;
    values.setTime(timeMs);
    this.#slotOf[TIMESTAMP_MS] = slots.number(timeMs);
    this.#slotOf[TIMESTAMP] = values.keep(nanos < 0 ? values.text() : values.time(timeMs, nanos));
  }

  #usualSlots(members: readonly Member[]): UsualSlots {
    return {
      constants: Int32Array.from(members, ({ rule }) => (rule.kind === 'constant' ? this.#constant(rule.value) : -1)),
      others: members.map((member) => this.#usualOf(member)),
    };
  }

  #constant(value: Value): number {
    const slot = this.#constants.get(value) ?? this.slots.add(value);
    this.#constants.set(value, slot);
    return slot;
  }

  #usualOf({ name, rule, usual }: Member): () => number {
    if (rule.kind === 'same') {
      const place = NAMES.indexOf(rule.as);
      return () => this.slot(place);
    }
    if (name === 'event_hash') return () => this.#identityHash();
    // A rule only reads members before its own, and never the two JSON texts.
    const ruled = () => this.slots.add(stored(usual(this.members as UsageEvent)));
    if (name !== 'method' && name !== 'path') return ruled;
    const part = name === 'method' ? 0 : 1;
    return () => (this.slots.isPlain(this.slot(ENDPOINT)) ? this.#endpointPart(part) : ruled());
  }

  #endpointPart(part: 0 | 1): number {
    const { slots } = this;
    const endpoint = this.slot(ENDPOINT);
    const length = slots.lengthOf(endpoint);
    let space = 0;
    while (space < length && slots.byteAt(endpoint, space) !== SPACE) space += 1;
    if (space === length) return this.#constants.get('') ?? 0;
    return part === 0 ? slots.part(endpoint, 0, space) : slots.part(endpoint, space + 1, length);
  }

  /** The identity text, as bytes. */
  #identityHash(): number {
    const { slots } = this;
    if (!this.#isPlainIdentity()) return this.values.ascii(sha256Hex(identityText(this.members)));
    const text = this.#identity;
    text.cut(0);
    for (const place of IDENTITY_TEXTS) {
      slots.writeText(this.slot(place), text);
      text.byte(BAR);
    }
    for (const place of IDENTITY_COUNTS) {
      text.number(slots.numberOf(this.slot(place)));
      text.byte(BAR);
    }
    text.number(Math.max(slots.numberOf(this.slot(CACHED)), slots.numberOf(this.slot(CACHE))));
    text.byte(BAR);
    text.ascii(slots.numberOf(this.slot(FAILED)) === 1 ? 'true' : 'false');
    const latency = this.slot(LATENCY);
    if (slots.kindOf(latency) === NUMBER) {
      text.byte(BAR);
      text.number(slots.numberOf(latency));
    }
    Bun.SHA256.hash(text.view(), this.#hash);
    return this.values.hexText(this.#hash, 0, HASH_BYTES);
  }

  /** Whether nothing is escaped in its texts, and nothing trimmed at its start; at its end it never is. */
  #isPlainIdentity(): boolean {
    const { slots } = this;
    for (const place of IDENTITY_TEXTS) if (!slots.isPlain(this.slot(place))) return false;
    const requestId = this.slot(IDENTITY_TEXTS[0] ?? 0);
    if (slots.lengthOf(requestId) === 0) return true;
    const first = slots.byteAt(requestId, 0);
    return first > SPACE && first < 128;
  }

  #view(): Members {
    const view = {};
    for (const [place, name] of NAMES.entries()) {
      const get = place === FAILED ? () => this.#valueAt(place) === 1 : () => this.#valueAt(place);
      Object.defineProperty(view, name, { get, enumerable: true });
    }
    return view as Members;
  }

  #valueAt(place: number): Value {
    const { slots } = this;
    const slot = this.slot(place);
    const kind = slots.kindOf(slot);
    if (kind === NUMBER) return slots.numberOf(slot);
    return kind === NOTHING ? null : slots.textOf(slot);
  }
}
