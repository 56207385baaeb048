import { redactSecrets } from '@manager/core/redaction/redact';
import { isRecord } from '../../browser/storage.ts';
import { maskKey } from '../../format/mask-key.ts';
import { sha256HexSync } from '../../sha256.ts';
import type { Kind } from './kinds.ts';

/** A provider as the gateway lists it. Members are unchecked, and unknown ones stay. */
export type Entry = Readonly<Record<string, unknown>>;

/** One key of a provider. Keys are never rendered. */
export interface ProviderKey {
  readonly key: string;
  /** '' = the gateway does not use it now, or is too old to say. */
  readonly authIndex: string;
  readonly weight: number | null;
}

export interface Model {
  readonly name: string;
  readonly alias: string;
}

/** An exclusion of everything, which is how the gateway disables a key. */
const ALL = '*';

export const textIn = (entry: Entry, name: string): string => {
  const value = entry[name];
  return typeof value === 'string' ? value.trim() : '';
};

export const numberIn = (entry: Entry, name: string): number | null => {
  const value = entry[name];
  return typeof value === 'number' ? value : null;
};

export const rowsIn = (entry: Entry, name: string): readonly Entry[] => {
  const value = entry[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
};

export const wordsIn = (entry: Entry, name: string): readonly string[] => {
  const value = entry[name];
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
};

export const baseUrlOf = (kind: Kind, entry: Entry): string => textIn(entry, 'base-url') || kind.home;

const keyIn = (entry: Entry, weight: number | null): ProviderKey => ({
  key: textIn(entry, 'api-key'),
  authIndex: textIn(entry, 'auth-index'),
  weight,
});

export function keysOf(kind: Kind, entry: Entry): readonly ProviderKey[] {
  if (kind.id !== 'openai') return [keyIn(entry, numberIn(entry, 'weight'))];
  const keys = rowsIn(entry, 'api-key-entries').map((row) => keyIn(row, numberIn(row, 'weight')));
  // Without keys of its own it is an account without a key.
  return keys.length > 0 ? keys : [keyIn(entry, null)];
}

/** What an entry is recognized by: its name, or its key and address. */
export function identityOf(kind: Kind, entry: Entry): string {
  if (kind.id === 'openai') return textIn(entry, 'name').toLowerCase();
  return JSON.stringify([textIn(entry, 'api-key'), textIn(entry, 'base-url')]);
}

/** Name of an entry in addresses: a hash, because its identity has the key. */
export const entryId = (kind: Kind, entry: Entry): string =>
  `${kind.id}-${sha256HexSync(identityOf(kind, entry)).slice(0, 16)}`;

export function isEnabled(kind: Kind, entry: Entry): boolean {
  return kind.id === 'openai' ? entry.disabled !== true : !wordsIn(entry, 'excluded-models').includes(ALL);
}

/** The person's own exclusions stay beside the one of everything, so that they are still there once it is enabled. */
export function withEnabled(kind: Kind, entry: Entry, enabled: boolean): Entry {
  if (kind.id === 'openai') return { ...entry, disabled: !enabled };
  return withMember(entry, 'excluded-models', [...exclusionsOf(entry), ...(enabled ? [] : [ALL])]);
}

/** Exclusions but that of everything. */
export const exclusionsOf = (entry: Entry): readonly string[] =>
  wordsIn(entry, 'excluded-models').filter((word) => word !== ALL);

export function modelsOf(entry: Entry): readonly Model[] {
  return rowsIn(entry, 'models').flatMap((row) => {
    const name = textIn(row, 'name');
    return name === '' ? [] : [{ name, alias: textIn(row, 'alias') }];
  });
}

/** What clients call its models. */
export const clientModels = (entry: Entry): readonly string[] =>
  modelsOf(entry).map(({ name, alias }) => alias || name);

/** An empty value removes the member. */
export function withMember(entry: Entry, name: string, value: unknown): Entry {
  if (isUnset(value)) {
    const { [name]: _, ...others } = entry;
    return others;
  }
  return { ...entry, [name]: value };
}

function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

const withoutIndex = ({ 'auth-index': _, ...entry }: Entry): Entry => entry;

/** As it is written: without what only the gateway sets. */
export function writtenEntry(entry: Entry): Entry {
  const own = withoutIndex(entry);
  const keys = own['api-key-entries'];
  return Array.isArray(keys)
    ? { ...own, 'api-key-entries': keys.map((key: unknown) => (isRecord(key) ? withoutIndex(key) : key)) }
    : own;
}

/** Of an address: before its host, or in its query. */
export const hasPassword = (address: string): boolean => address.includes('://') && redactSecrets(address) !== address;

/** Whether a text of an entry is a key, a header's value or an address with a password. */
export const isEntrySecret = (name: string, parent: string, value: string): boolean =>
  name === 'api-key' || parent === 'headers' || hasPassword(value);

/** An edited entry for a call: the gateway's accounts are those of its stored keys, not of typed ones. */
export function callableEntry(kind: Kind, stored: Entry | null, edited: Entry): Entry {
  const indexes = new Map(stored === null ? [] : keysOf(kind, stored).map(({ key, authIndex }) => [key, authIndex]));
  const isSame =
    stored !== null && ['base-url', 'proxy-url'].every((name) => textIn(stored, name) === textIn(edited, name));
  const indexed = (entry: Entry) =>
    withMember(entry, 'auth-index', isSame ? indexes.get(textIn(entry, 'api-key')) : '');
  const written = writtenEntry(edited);
  if (kind.id !== 'openai' || !Array.isArray(written['api-key-entries'])) return indexed(written);
  return { ...written, 'api-key-entries': rowsIn(written, 'api-key-entries').map(indexed) };
}

/** Members that the gateway leaves out where they say nothing. */
const OMITTED_FALSE = [
  'websockets',
  'alpha-search',
  'disabled',
  'rebuild-mid-system-message',
  'experimental-cch-signing',
];

/** As it is compared: some versions list empty members, others leave them out. */
export function comparableEntry(entry: Entry): Entry {
  const members = Object.entries(writtenEntry(entry)).filter(
    ([name, value]) => !isUnset(value) && !(value === false && OMITTED_FALSE.includes(name)),
  );
  const compared: Entry = Object.fromEntries(members);
  return compared.priority === 0 ? withMember(compared, 'priority', null) : compared;
}

/** Its name, or its masked key. */
export function titleOf(kind: Kind, entry: Entry): string {
  if (kind.id === 'openai') return textIn(entry, 'name');
  const key = textIn(entry, 'api-key');
  return key === '' ? hostOf(baseUrlOf(kind, entry)) : maskKey(key);
}

/** Host of an address; the text itself where it is none. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
