import { maskKey } from '../../../platform/format/mask-key.ts';
import { comparableEntry, identityOf, rowsIn, titleOf } from '../../../platform/gateway/providers/entry.ts';
import { KINDS } from '../../../platform/gateway/providers/kinds.ts';
import { type ConfigObject, type ConfigValue, isList, isObject, sameValue, valueAt } from './values.ts';

/** What a text does to the parts that have pages of their own; keys among the names are masked. */
export interface Effect {
  readonly kind: 'keysStop' | 'keysStart' | 'entriesRemoved' | 'entriesAdded' | 'entriesChanged' | 'rules' | 'plugins';
  readonly names: readonly string[];
}

const RULES = ['oauth-excluded-models', 'oauth-model-alias', 'oauth-request-scoped-errors'];

export function effectsOf(before: ConfigObject, after: ConfigObject): Effect[] {
  const [oldKeys, keys] = [clientKeysIn(before), clientKeysIn(after)];
  const [oldEntries, entries] = [entriesIn(before), entriesIn(after)];
  const missing = <T>(from: ReadonlyMap<string, T>, others: ReadonlyMap<string, unknown>) =>
    [...from].flatMap(([id, value]) => (others.has(id) ? [] : [value]));
  const titles = (list: readonly Listed[]) => list.map(({ title }) => title);
  const effects: readonly Effect[] = [
    { kind: 'keysStop', names: missing(oldKeys, keys) },
    { kind: 'keysStart', names: missing(keys, oldKeys) },
    { kind: 'entriesRemoved', names: titles(missing(oldEntries, entries)) },
    { kind: 'entriesAdded', names: titles(missing(entries, oldEntries)) },
    {
      kind: 'entriesChanged',
      names: [...entries].flatMap(([id, { title, entry }]) => {
        const old = oldEntries.get(id);
        return old === undefined || sameValue(old.entry, entry) ? [] : [title];
      }),
    },
    { kind: 'rules', names: [...new Set(RULES.flatMap((name) => changedMembers(before, after, [name])))] },
    { kind: 'plugins', names: changedMembers(before, after, ['plugins', 'configs']) },
  ];
  return effects.filter(({ names }) => names.length > 0);
}

/** By key. */
export function clientKeysIn(values: ConfigObject): ReadonlyMap<string, string> {
  const keys = valueAt(values, ['api-keys']);
  const texts = isList(keys) ? keys.filter((key): key is string => typeof key === 'string' && key !== '') : [];
  return new Map(texts.map((key) => [key, maskKey(key)]));
}

interface Listed {
  readonly title: string;
  readonly entry: ConfigValue;
}

function entriesIn(values: ConfigObject): ReadonlyMap<string, Listed> {
  return new Map(
    KINDS.flatMap((kind) =>
      rowsIn(values, kind.list).map((entry) => [
        `${kind.id} ${identityOf(kind, entry)}`,
        { title: `${titleOf(kind, entry)} (${kind.name})`, entry: comparableEntry(entry) as ConfigObject },
      ]),
    ),
  );
}

function changedMembers(before: ConfigObject, after: ConfigObject, path: readonly string[]): string[] {
  const [old, next] = [valueAt(before, path), valueAt(after, path)].map((map) => (isObject(map) ? map : {}));
  return Object.keys({ ...old, ...next }).filter((name) => !sameValue(old?.[name], next?.[name]));
}
