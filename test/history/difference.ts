export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined };

const SHOWN_CHARACTERS = 80;

/** The first difference of two values as text; null where they are equal. The order of members does not count. */
export function firstDifference(found: Json | undefined, expected: Json | undefined): string | null {
  if (Object.is(found, expected)) return null;
  if (isList(found) && isList(expected)) {
    for (let index = 0; index < Math.min(found.length, expected.length); index++) {
      const difference = firstDifference(found[index], expected[index]);
      if (difference !== null) return `[${index}]${difference}`;
    }
    return found.length === expected.length ? null : `: ${found.length} entries instead of ${expected.length}`;
  }
  if (isObject(found) && isObject(expected)) {
    for (const name of Object.keys({ ...expected, ...found })) {
      const difference = firstDifference(found[name], expected[name]);
      if (difference !== null) return `.${name}${difference}`;
    }
    return null;
  }
  return `: ${shown(found)} instead of ${shown(expected)}`;
}

/** The value without these members at any depth. */
export function without(value: Json, names: ReadonlySet<string>): Json {
  if (isList(value)) return value.map((entry) => without(entry, names));
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value))
    if (member !== undefined && !names.has(name)) kept[name] = without(member, names);
  return kept;
}

export function isObject(value: Json | undefined): value is { readonly [name: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function shown(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
