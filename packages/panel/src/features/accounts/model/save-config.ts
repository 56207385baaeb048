import { isLostAnswer } from '../../../platform/api/errors.ts';
import { inTurn } from '../../../platform/gateway/in-turn.ts';
import { type ConfigField, type ConfigValues, changedFields, configChanges, sameValue } from './config-form.ts';

export type Saved =
  | { readonly kind: 'saved'; readonly values: ConfigValues }
  /** Stored, but these fields not as entered. */
  | { readonly kind: 'different'; readonly values: ConfigValues; readonly fields: readonly ConfigField[] }
  /** Somebody else had changed these fields: nothing was sent. `values` are theirs. */
  | { readonly kind: 'conflict'; readonly values: ConfigValues; readonly fields: readonly ConfigField[] }
  /** The answer was lost, and the file cannot be read or holds neither the old nor the new values. */
  | { readonly kind: 'unknown' };

interface SaveCalls {
  /** Saves of one file run one after the other, in every tab. */
  readonly file: string;
  /** The fields as the file has them. */
  readonly read: () => Promise<ConfigValues>;
  readonly write: (changes: Readonly<Record<string, unknown>>) => Promise<void>;
}

/**
 * Reads the file again, changes only what a person changed, and reads back what the gateway made of it. Throws when it was
 * refused.
 */
export function saveConfig(
  base: ConfigValues,
  values: ConfigValues,
  fields: readonly ConfigField[],
  { file, read, write }: SaveCalls,
): Promise<Saved> {
  const changed = changedFields(base, values, fields);
  return inTurn(`auth-file ${file}`, async () => {
    const fresh = await read();
    const conflicts = changed.filter(
      (field) => fresh[field.name] !== base[field.name] && !sameValue(field, fresh, values),
    );
    if (conflicts.length > 0) return { kind: 'conflict', values: fresh, fields: conflicts };
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
    const different = changed.filter((field) => !sameValue(field, stored, values));
    if (different.length === 0) return { kind: 'saved', values: stored };
    if (lost === null) return { kind: 'different', values: stored, fields: different };
    if (changed.every(({ name }) => stored[name] === fresh[name])) throw lost;
    return { kind: 'unknown' };
  });
}

/** What is typed, on top of the values that others stored meanwhile. */
export function withTyped(
  base: ConfigValues,
  values: ConfigValues,
  theirs: ConfigValues,
  fields: readonly ConfigField[],
): ConfigValues {
  return { ...theirs, ...pick(values, changedFields(base, values, fields)) };
}

const pick = (values: ConfigValues, fields: readonly ConfigField[]): ConfigValues =>
  Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null]));
