import { isLostAnswer } from '../../../platform/api/errors.ts';
import { type ConfigField, type ConfigValues, changedFields, configChanges, sameValue } from './config-form.ts';

export type Saved =
  | { readonly kind: 'saved'; readonly values: ConfigValues }
  /** Stored, but these fields not as entered. */
  | { readonly kind: 'different'; readonly values: ConfigValues; readonly fields: readonly ConfigField[] }
  /** Somebody else had changed the same fields: nothing was sent. */
  | { readonly kind: 'conflict'; readonly values: ConfigValues }
  /** The answer was lost, and so is what the file holds. */
  | { readonly kind: 'unknown' };

interface SaveCalls {
  /** The fields as the file has them. */
  readonly read: () => Promise<ConfigValues>;
  readonly write: (changes: Readonly<Record<string, unknown>>) => Promise<void>;
}

/**
 * Reads the file again, changes only what a person changed, and reads back what the gateway made of it. Throws when it was
 * refused.
 */
export async function saveConfig(
  base: ConfigValues,
  values: ConfigValues,
  fields: readonly ConfigField[],
  { read, write }: SaveCalls,
): Promise<Saved> {
  const changed = changedFields(base, values, fields);
  const fresh = await read();
  if (changed.some(({ name }) => fresh[name] !== base[name])) return { kind: 'conflict', values: fresh };
  let lost: unknown = null;
  try {
    await write(configChanges(base, values, fields));
  } catch (error) {
    if (!isLostAnswer(error)) throw error;
    lost = error;
  }
  let stored: ConfigValues;
  try {
    stored = await read();
  } catch {
    // A confirmed change is stored, whatever the file shows.
    return lost === null ? { kind: 'saved', values: { ...fresh, ...pick(values, changed) } } : { kind: 'unknown' };
  }
  if (lost !== null && changed.every(({ name }) => stored[name] === base[name])) throw lost;
  const different = changed.filter((field) => !sameValue(field, stored, values));
  return different.length === 0
    ? { kind: 'saved', values: stored }
    : { kind: 'different', values: stored, fields: different };
}

const pick = (values: ConfigValues, fields: readonly ConfigField[]): ConfigValues =>
  Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null]));
