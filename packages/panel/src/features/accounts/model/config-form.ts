import { isJsonObject, type JsonObject, parseJson } from '@manager/core/json/json';
import { hasPassword } from '../../../platform/gateway/providers/entry.ts';
import type { TextKey } from '../../../platform/i18n/index.ts';

type FieldKind = 'text' | 'integer' | 'list' | 'headers' | 'aliases' | 'flag';

export interface ConfigField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly label: TextKey;
  readonly hint?: TextKey;
  /** Absent = all providers. */
  readonly providers?: readonly string[];
}

/** Editable members of an auth file; all others stay. */
const CONFIG_FIELDS: readonly ConfigField[] = [
  { name: 'note', kind: 'text', label: 'accountField.note' },
  { name: 'prefix', kind: 'text', label: 'accountField.prefix', hint: 'accountField.prefixHint' },
  { name: 'priority', kind: 'integer', label: 'accountField.priority', hint: 'accountField.priorityHint' },
  { name: 'weight', kind: 'integer', label: 'accountField.weight', hint: 'accountField.weightHint' },
  { name: 'proxy_url', kind: 'text', label: 'accountField.proxy' },
  { name: 'base_url', kind: 'text', label: 'accountField.baseUrl' },
  { name: 'headers', kind: 'headers', label: 'accountField.headers', hint: 'accountField.headersHint' },
  { name: 'excluded_models', kind: 'list', label: 'accountField.excluded', hint: 'accountField.excludedHint' },
  { name: 'model_aliases', kind: 'aliases', label: 'accountField.modelAliases', hint: 'accountField.modelAliasesHint' },
  { name: 'request_retry', kind: 'integer', label: 'accountField.retry' },
  { name: 'disable_cooling', kind: 'flag', label: 'accountField.cooling' },
  { name: 'websockets', kind: 'flag', label: 'accountField.websockets', providers: ['codex', 'xai'] },
  { name: 'using_api', kind: 'flag', label: 'accountField.usingApi', providers: ['xai'] },
  { name: 'tool_prefix_disabled', kind: 'flag', label: 'accountField.toolPrefix', providers: ['claude'] },
  { name: 'cloak_mode', kind: 'text', label: 'accountField.cloakMode', providers: ['claude'] },
  { name: 'cloak_strict_mode', kind: 'flag', label: 'accountField.cloakStrict', providers: ['claude'] },
  { name: 'cloak_cache_user_id', kind: 'flag', label: 'accountField.cloakCache', providers: ['claude'] },
  { name: 'cloak_sensitive_words', kind: 'list', label: 'accountField.cloakWords', providers: ['claude'] },
];

/** Maximum weight the gateway accepts. */
export const MAX_WEIGHT = 1_000_000;

/** Text of the input, `true` or `false` of a flag; null = not in the file. */
export type ConfigValue = string | boolean | null;
export type ConfigValues = Readonly<Record<string, ConfigValue>>;

export function fieldsOf(provider: string): readonly ConfigField[] {
  return CONFIG_FIELDS.filter(({ providers }) => providers === undefined || providers.includes(provider));
}

export function fieldNamed(name: string): ConfigField {
  const field = CONFIG_FIELDS.find((one) => one.name === name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return field;
}

/** The editable part of an auth file, without its secrets. Null when it is not a JSON object. */
export function readConfig(file: string, fields: readonly ConfigField[]): ConfigValues | null {
  const content = parseJson(file);
  if (!isJsonObject(content)) return null;
  return Object.fromEntries(fields.map((field) => [field.name, fieldValue(content, field)]));
}

function fieldValue(content: JsonObject, { name, kind }: ConfigField): ConfigValue {
  const value = content[name] ?? content[name.replaceAll('_', '-')];
  if (value === undefined || value === null) return null;
  switch (kind) {
    case 'flag':
      return typeof value === 'boolean' ? value : null;
    case 'list':
      return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join('\n') : null;
    case 'aliases':
      return Array.isArray(value) ? value.filter(isJsonObject).map(aliasLine).join('\n') : null;
    case 'headers':
      return isJsonObject(value)
        ? Object.entries(value)
            .map(([header, text]) => `${header}: ${String(text)}`)
            .join('\n')
        : null;
    default:
      return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  }
}

/** `model = alias`; an alias with further members keeps them as JSON. */
function aliasLine({ name, alias, ...others }: JsonObject): string {
  if (typeof name === 'string' && typeof alias === 'string' && Object.keys(others).length === 0)
    return `${name} = ${alias}`;
  return JSON.stringify({ name, alias, ...others });
}

/** The alias of a line; null = it is none. */
function aliasOf(line: string): JsonObject | null {
  if (line.startsWith('{')) {
    const whole = parseJson(line);
    return isJsonObject(whole) ? whole : null;
  }
  const at = line.indexOf('=');
  const [name, alias] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  return at < 0 || name === '' || alias === '' ? null : { name, alias };
}

/** Headers may hold keys, addresses passwords. */
export function holdsSecret({ kind }: ConfigField, value: ConfigValue): boolean {
  if (typeof value !== 'string' || value === '') return false;
  return kind === 'headers' || hasPassword(value);
}

/** What a person typed. An emptied number is not set; an empty text is a value of its own. */
export function typedValue(kind: FieldKind, typed: string): ConfigValue {
  return kind === 'integer' && typed.trim() === '' ? null : typed;
}

/** When the gateway last refreshed the token, by the file: not every gateway lists it. */
export function readLastRefresh(file: string): number | null {
  const content = parseJson(file);
  const text = isJsonObject(content) ? (content.last_refresh ?? content.lastRefresh) : null;
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return ms > 0 ? ms : null;
}

/** The name of a field with an invalid value; null = all are valid. */
export function invalidField(values: ConfigValues, fields: readonly ConfigField[]): string | null {
  for (const { name, kind } of fields) {
    const value = values[name] ?? null;
    if (typeof value !== 'string') continue;
    if (kind === 'integer' && !/^-?\d+$/.test(value.trim())) return name;
    if (name === 'weight' && Number(value) > MAX_WEIGHT) return name;
    if (kind === 'aliases' && lines(value).some((line) => aliasOf(line) === null)) return name;
    if (kind === 'headers' && lines(value).some((line) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+\s*:/.test(line))) return name;
  }
  return null;
}

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

function headersOf(value: ConfigValue): ReadonlyMap<string, string> {
  if (typeof value !== 'string') return new Map();
  return new Map(
    lines(value).map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

export function changedFields(
  before: ConfigValues,
  after: ConfigValues,
  fields: readonly ConfigField[],
): readonly ConfigField[] {
  return fields.filter(({ name }) => (before[name] ?? null) !== (after[name] ?? null));
}

/** Members of the request: only the changed ones, so that all others stay. */
export function configChanges(before: ConfigValues, after: ConfigValues, fields: readonly ConfigField[]): JsonObject {
  return Object.fromEntries(
    changedFields(before, after, fields).map((field) => [field.name, wireValue(field, before, after)]),
  );
}

function wireValue({ name, kind }: ConfigField, before: ConfigValues, after: ConfigValues): unknown {
  const value = after[name] ?? null;
  if (kind === 'headers') {
    // The gateway merges headers; an empty text removes one.
    const old = headersOf(before[name] ?? null);
    const next = headersOf(value);
    const removed = [...old.keys()].filter((header) => !next.has(header)).map((header) => [header, ''] as const);
    return Object.fromEntries([...removed, ...[...next].filter(([header, text]) => old.get(header) !== text)]);
  }
  // The gateway's value for an unset priority.
  if (value === null) return name === 'priority' ? 0 : null;
  if (typeof value === 'boolean') return value;
  if (kind === 'integer') return Number(value);
  if (kind === 'aliases') return lines(value).flatMap((line) => aliasOf(line) ?? []);
  return kind === 'list' ? [...lines(value)] : value;
}

/** Whether a field has the same value in both, however it is written. */
export function sameValue(field: ConfigField, left: ConfigValues, right: ConfigValues): boolean {
  const meaning = (values: ConfigValues): string => {
    const value = values[field.name] ?? null;
    if (field.kind === 'headers') return JSON.stringify([...headersOf(value)].sort());
    return JSON.stringify(wireValue(field, {}, values));
  };
  return meaning(left) === meaning(right);
}
