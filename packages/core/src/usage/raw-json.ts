import { isJsonObject, type JsonObject, parseDeepJson } from '../json/json.ts';
import { compareCodePoints, trimText } from '../json/text.ts';
import { IDENTITY_NAMES, isSecretName } from '../redaction/names.ts';
import { isMaskedSource, maskSource, redactCredentials, redactText, sanitizeFailureText } from '../redaction/redact.ts';
import { isKeySource, type KeyFacts, readKeyFacts, withoutKey, withoutKeys } from './key-source.ts';
import { rememberShapes } from './member-shapes.ts';
import { cleanClientIp, cleanForwardedFor, cleanUserAgent } from './request-metadata.ts';

/**
 * How the value of a member is treated. `mask`: as the public form of an account or key; `item`: as an original item of
 * its own; `failure`: as a text of the provider.
 */
type Treatment = 'redact' | 'mask' | 'item' | 'failure' | ((text: string) => string);

const BASE: ReadonlyMap<string, Treatment> = new Map<string, Treatment>([
  ...IDENTITY_NAMES.map((name): [string, Treatment] => [name, 'redact']),
  ['client_ip', cleanClientIp],
  ['clientip', cleanClientIp],
  ['x_forwarded_for', cleanForwardedFor],
  ['xforwardedfor', cleanForwardedFor],
  ['user_agent', cleanUserAgent],
  ['useragent', cleanUserAgent],
  ['fail_body', sanitizeFailureText],
]);

/** A provider key can be in any of the members that name an account. */
const STORED: ReadonlyMap<string, Treatment> = new Map<string, Treatment>([
  ...BASE,
  ['fail_body', 'failure'],
  ['failbody', 'failure'],
  ['source', 'mask'],
  ['key', 'mask'],
  ['account', 'mask'],
  ['email', 'mask'],
  ['raw_json', 'item'],
  ['detail', 'item'],
]);

const PLAIN_NAME = /^[a-z0-9_]+$/;

type TreatmentOf = (key: string) => Treatment | undefined;

const normalized = (key: string) => (PLAIN_NAME.test(key) ? key : trimText(key).toLowerCase().replace(/[- ]/g, '_'));
const storedTreatment: TreatmentOf = (key) => (isSecretName(key) ? 'redact' : STORED.get(normalized(key)));
/** Without names that were added later. */
const identityTreatment: TreatmentOf = (key) => (/secret/i.test(key) ? 'redact' : BASE.get(normalized(key)));

/** Deeper values are dropped: `JSON.stringify` and its readers are recursive. */
const MAX_DEPTH = 1000;
const TOO_DEEP = '...(truncated)';

const BEYOND_BASIC_ORDER = /[\ud800-\uffff]/;

/** The engine lists numbers before other names, and assigning `__proto__` makes no member. */
const OUT_OF_ORDER = /^(?:\d+|__proto__)$/;

interface Member {
  readonly key: string;
  readonly treatment: Treatment | undefined;
}

/** The members of an object in the order in which they are written. */
interface Members {
  readonly members: readonly Member[];
  /** Set where an object does not keep its members in the order in which they were assigned. */
  readonly order: readonly string[] | undefined;
}

function membersOf(keys: readonly string[], treatmentOf: TreatmentOf): Members {
  const byCodePoint = keys.some((key) => BEYOND_BASIC_ORDER.test(key)) ? compareCodePoints : undefined;
  const order = keys.toSorted(byCodePoint);
  return {
    members: order.map((key) => ({ key, treatment: treatmentOf(key) })),
    order: order.some((key) => OUT_OF_ORDER.test(key)) ? order : undefined,
  };
}

const storedMembers = rememberShapes((keys) => membersOf(keys, storedTreatment));

interface Treatments {
  readonly members: (keys: readonly string[]) => Members;
  readonly text: (text: string) => string;
  readonly failure: (text: string, facts: KeyFacts) => string;
  /** A source that is known to be a key. */
  readonly knownKey: string;
  /** Of the item that the members belong to. */
  facts: KeyFacts;
  truncated: boolean;
}

const NO_FACTS: KeyFacts = { source: '', apiKey: '', authType: '', provider: '' };

function maskedText(text: string, { facts, knownKey }: Treatments): string {
  const source = trimText(text);
  if (isMaskedSource(source)) return text;
  return maskSource(source, (knownKey !== '' && source === knownKey) || isKeySource(source, facts));
}

/** An original item inside another one, as an object or as JSON text. */
function treatedItem(value: unknown, depth: number, rules: Treatments): unknown {
  if (depth >= MAX_DEPTH) return treatedValue(value, undefined, depth, rules);
  const item = typeof value === 'string' ? parseDeepJson(value) : value;
  if (!isJsonObject(item)) return treatedValue(value, undefined, depth, rules);
  const { facts } = rules;
  rules.facts = readKeyFacts(item);
  const treated = treatedObject(item, false, depth, rules);
  rules.facts = facts;
  return typeof value === 'string' ? JSON.stringify(treated) : treated;
}

function treatedValue(value: unknown, treatment: Treatment | undefined, depth: number, rules: Treatments): unknown {
  if (treatment === 'redact') return '[redacted]';
  if (treatment === 'item') return treatedItem(value, depth, rules);
  if (typeof value === 'string') {
    if (treatment === undefined) return rules.text(value);
    if (treatment === 'failure') return rules.failure(value, rules.facts);
    return treatment === 'mask' ? maskedText(value, rules) : treatment(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) {
    rules.truncated = true;
    return TOO_DEEP;
  }
  if (Array.isArray(value)) return value.map((element) => treatedValue(element, treatment, depth + 1, rules));
  return isJsonObject(value) ? treatedObject(value, false, depth, rules) : null;
}

function treatedObject(object: JsonObject, isFail: boolean, depth: number, rules: Treatments): object {
  const { members, order } = rules.members(Object.keys(object));
  const treated: Record<string, unknown> = order === undefined ? {} : Object.create(null);
  for (const { key, treatment } of members) {
    const value = object[key];
    if (isFail && key === 'body') treated[key] = treatedValue(value, 'failure', depth + 1, rules);
    else if (key === 'fail' && isJsonObject(value) && depth + 1 < MAX_DEPTH) {
      treated[key] = treatedObject(value, true, depth + 1, rules);
    } else treated[key] = treatedValue(value, treatment, depth + 1, rules);
  }
  return order === undefined ? treated : new Proxy(treated, { ownKeys: () => order });
}

export interface RawJson {
  /** JSON text with sorted keys. */
  readonly text: string;
  /** True when values nested deeper than the limit were dropped. */
  readonly truncated: boolean;
}

/**
 * The stored text of an original item: sorted keys, credentials replaced, account names masked, failure texts sanitized.
 * Unknown members stay.
 *
 * @param knownKey a source that is a key, although the item may not show it
 */
export function redactedJson(item: JsonObject, knownKey = ''): RawJson {
  const facts = readKeyFacts(item);
  const failure = (text: string, own: KeyFacts) =>
    sanitizeFailureText(withoutKey(withoutKeys(trimText(text), own), knownKey));
  const rules: Treatments = {
    members: storedMembers,
    text: redactCredentials,
    failure,
    knownKey,
    facts,
    truncated: false,
  };
  // The engine writes a flat text in one go: half the time of joining the parts here, and of flattening them later.
  return { text: JSON.stringify(treatedObject(item, false, 0, rules)), truncated: rules.truncated };
}

/** Sanitizes a stored original text: JSON objects member by member, everything else as text. */
export function redactedJsonText(text: string, knownKey = ''): string {
  const value = parseDeepJson(text);
  return isJsonObject(value) ? redactedJson(value, knownKey).text : redactText(text);
}

/**
 * The narrower form from which the identity of legacy snapshot details is computed. It must never change: a later import of the
 * same file has to get the same identities.
 */
export function legacyIdentityJson(item: JsonObject): string {
  const rules: Treatments = {
    members: (keys) => membersOf(keys, identityTreatment),
    text: (text) => text,
    failure: sanitizeFailureText,
    knownKey: '',
    facts: NO_FACTS,
    truncated: false,
  };
  return JSON.stringify(treatedObject(item, false, 0, rules)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
