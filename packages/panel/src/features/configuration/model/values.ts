/** Values of a configuration, as YAML gives them. Apart from the reader, which only the worker has. */
export type ConfigValue =
  | null
  | boolean
  | number
  | string
  | readonly ConfigValue[]
  | { readonly [key: string]: ConfigValue };
export type ConfigObject = { readonly [key: string]: ConfigValue };

export type Path = readonly string[];

export function isObject(value: unknown): value is ConfigObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly ConfigValue[] {
  return Array.isArray(value);
}

/** undefined = not set. */
export function valueAt(values: ConfigValue | undefined, path: Path): ConfigValue | undefined {
  return path.reduce<ConfigValue | undefined>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    values,
  );
}

/** The same values with one changed; undefined removes it. */
export function withValue(values: ConfigObject, path: Path, value: ConfigValue | undefined): ConfigObject {
  const [key, ...rest] = path;
  if (key === undefined) return values;
  const entries = new Map(Object.entries(values));
  if (rest.length > 0) {
    const inner = values[key];
    const present = isObject(inner) ? inner : {};
    if (value === undefined && valueAt(present, rest) === undefined) return values;
    entries.set(key, withValue(present, rest, value));
  } else if (value === undefined) entries.delete(key);
  else entries.set(key, value);
  return Object.fromEntries(entries);
}

export function sameValue(left: ConfigValue | undefined, right: ConfigValue | undefined): boolean {
  if (Object.is(left, right)) return true;
  if (isList(left)) {
    return isList(right) && left.length === right.length && left.every((item, index) => sameValue(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]))
  );
}
