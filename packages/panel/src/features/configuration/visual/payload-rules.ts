import { type ConfigObject, type ConfigValue, isList, isObject } from '../model/values.ts';

/** What `params` of a rule holds: values by path, JSON texts by path, or paths. */
export type ParamsKind = 'values' | 'raw' | 'paths';

export function paramsKind(id: string): ParamsKind | null {
  const [, list] = /^payload\.(.*)$/.exec(id) ?? [];
  if (list === undefined) return null;
  if (list === 'filter') return 'paths';
  return list.endsWith('-raw') ? 'raw' : 'values';
}

/** A line of `params`; `value` is absent in a list of paths. */
export interface Param {
  readonly path: string;
  readonly value: ConfigValue;
}

export type Rules = readonly ConfigObject[];

/** The rules of a list; null = of another form, which only the text can show. */
export function readRules(value: ConfigValue | undefined, kind: ParamsKind): Rules | null {
  if (value === undefined || value === null) return [];
  if (!isList(value)) return null;
  const rules = value.filter((rule) => isObject(rule));
  const known = rules.every(
    ({ models = [], params = kind === 'paths' ? [] : {} }) =>
      isList(models) &&
      models.every((model) => isObject(model) && (model.name === undefined || typeof model.name === 'string')) &&
      (kind === 'paths'
        ? isList(params) && params.every((path) => typeof path === 'string')
        : isObject(params) && (kind === 'values' || Object.values(params).every((text) => typeof text === 'string'))),
  );
  return known && rules.length === value.length ? rules : null;
}

export function modelsOf({ models }: ConfigObject): Rules {
  return isList(models) ? models.filter((model) => isObject(model)) : [];
}

export function paramsOf({ params }: ConfigObject): readonly Param[] {
  if (isList(params)) return params.map((path) => ({ path: String(path), value: null }));
  return isObject(params) ? Object.entries(params).map(([path, value]) => ({ path, value })) : [];
}

/** With other `params`; of two lines with one path the later counts. */
export function withParams(rule: ConfigObject, params: readonly Param[], kind: ParamsKind): ConfigObject {
  return {
    ...rule,
    params:
      kind === 'paths'
        ? params.map(({ path }) => path)
        : Object.fromEntries(params.map(({ path, value }) => [path, value])),
  };
}

/** With a member; an empty text removes it. */
export function withMember(entry: ConfigObject, name: string, value: ConfigValue): ConfigObject {
  if (value !== '') return { ...entry, [name]: value };
  const { [name]: _, ...others } = entry;
  return others;
}

/** The same list with one entry changed; undefined removes it. */
export function withEntry<T>(list: readonly T[], index: number, entry: T | undefined): readonly T[] {
  return list.flatMap((old, at) => (at !== index ? [old] : entry === undefined ? [] : [entry]));
}

export function newRule(kind: ParamsKind): ConfigObject {
  return { models: [{ name: '' }], params: kind === 'paths' ? [] : {} };
}

const OWN = ['name', 'protocol', 'from-protocol'];

/** Members of a model beyond name and protocols: conditions on headers and on the request. */
export function conditionsOf(model: ConfigObject): ConfigObject {
  return Object.fromEntries(Object.entries(model).filter(([name]) => !OWN.includes(name)));
}

export function withConditions(model: ConfigObject, conditions: ConfigObject): ConfigObject {
  return { ...Object.fromEntries(Object.entries(model).filter(([name]) => OWN.includes(name))), ...conditions };
}

/** A rule without a model, or a line without a path, does nothing at the gateway. */
export function isIncomplete(rules: Rules): boolean {
  return rules.some(
    (rule) =>
      modelsOf(rule).length === 0 ||
      modelsOf(rule).some(({ name = '' }) => name === '') ||
      paramsOf(rule).length === 0 ||
      paramsOf(rule).some(({ path }) => path === ''),
  );
}
