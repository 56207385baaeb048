import { isObject, type JsonObject, type JsonValue } from './json.ts';
import type { EventObject, GeneratedEvent, Profile, Publishable } from './types.ts';
import { compareVersions } from './versions.ts';

/** What is published: the bytes, and what the account counters need. */
export interface Payload {
  readonly bytes: Buffer;
  /** False: a test's text or bytes, which may be anything. */
  readonly isKnownJson: boolean;
  readonly authIndex: string;
  readonly failed: boolean;
  readonly number: number | null;
}

/** An object becomes what the profile's version would have published; text and bytes stay unchanged. */
export function toPayload(event: Publishable, profile: Profile): Payload {
  if (typeof event === 'string') return fromText(event);
  if (event instanceof Uint8Array) {
    const bytes = Buffer.from(event);
    return { ...fromText(bytes.toString('latin1')), bytes };
  }
  if (isGenerated(event)) {
    const number = event.number ?? null;
    const text = isLatest(profile) ? event.text : shaped(JSON.parse(event.text) as EventObject, profile);
    return { bytes: Buffer.from(text), isKnownJson: true, authIndex: event.authIndex, failed: event.failed, number };
  }
  return { ...fromText(shaped(event, profile)), isKnownJson: true };
}

function isGenerated(event: EventObject | GeneratedEvent): event is GeneratedEvent {
  return typeof event.text === 'string' && typeof event.timestampMs === 'number';
}

function isLatest(profile: Profile): boolean {
  return profile.version === '7.2.140';
}

function shaped(event: EventObject, profile: Profile): string {
  return encodeEvent(isLatest(profile) ? event : reduceToProfile(event, profile));
}

/** Keeps the members a version knows, with the values it would have given them. */
export function reduceToProfile(event: EventObject, profile: Profile): EventObject {
  const reduced: EventObject = {};
  for (const [name, value] of Object.entries(event)) {
    if (profile.payloadMembers.has(name))
      reduced[name] = name === 'tokens' ? tokensOf(event, value, profile) : memberValue(name, value, profile);
  }
  return reduced;
}

function memberValue(name: string, value: JsonValue, profile: Profile): JsonValue {
  if (name === 'service_tier' && value === 'auto' && compareVersions(profile.version, '7.2.74') < 0) return 'default';
  return value;
}

function tokensOf(event: EventObject, value: JsonValue, profile: Profile): JsonValue {
  if (!isObject(value)) return value;
  const tokens: JsonObject = {};
  for (const [name, count] of Object.entries(value)) {
    if (profile.payloadMembers.has(`tokens.${name}`)) tokens[name] = count;
  }
  const isClaude = event.provider === 'claude';
  // Cache reads were mirrored for the other families from v7.2.67 on; Claude totals hold the cache from v7.1.26 on.
  if (!isClaude && 'cache_read_tokens' in tokens && compareVersions(profile.version, '7.2.67') < 0)
    tokens.cache_read_tokens = 0;
  if (isClaude && compareVersions(profile.version, '7.1.26') < 0)
    tokens.total_tokens = Number(tokens.input_tokens ?? 0) + Number(tokens.output_tokens ?? 0);
  return tokens;
}

const ESCAPED = /[<>&\u2028\u2029]/g;

/** Compact JSON with the five characters escaped that the gateway's encoder escapes. */
export function encodeEvent(event: JsonValue): string {
  return JSON.stringify(event).replace(ESCAPED, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const AUTH_INDEX = '"auth_index":"';

/** Reads the two members from the text: parsing every event would cost more than publishing it. */
function fromText(text: string): Payload {
  const at = text.indexOf(AUTH_INDEX);
  const from = at + AUTH_INDEX.length;
  const authIndex = at < 0 ? '' : text.slice(from, text.indexOf('"', from));
  const failed = text.includes('"failed":true');
  return { bytes: Buffer.from(text), isKnownJson: false, authIndex, failed, number: null };
}
