import { isLostAnswer, mayComeLater } from '../../../platform/api/errors.ts';
import { inTurn } from '../../../platform/gateway/in-turn.ts';
import { type ConfigField, type ConfigValues, changedFields, configChanges, sameValue } from './config-form.ts';

export type Saved =
  | { readonly kind: 'saved'; readonly values: ConfigValues }
  /** Stored, but these fields not as entered. */
  | { readonly kind: 'different'; readonly values: ConfigValues; readonly fields: readonly ConfigField[] }
  /** Somebody else had changed these fields: nothing was sent. `values` are theirs. */
  | { readonly kind: 'conflict'; readonly values: ConfigValues; readonly fields: readonly ConfigField[] }
  /** The answer was lost, and the file cannot be read or holds neither the old nor the new values. */
  | { readonly kind: 'unknown'; readonly error: unknown };

export interface SaveCalls {
  /** Saves of one file run one after the other, in every tab. */
  readonly file: string;
  /** The fields as the file has them. */
  readonly read: () => Promise<ConfigValues>;
  readonly write: (changes: Readonly<Record<string, unknown>>) => Promise<void>;
}

/**
 * Reads the file again, changes only what a person changed, and reads back what the gateway made of it. Throws when it was
 * not changed.
 *
 * @param changed the fields that get a value, also where it is the one a person saw
 */
export function saveConfig(
  base: ConfigValues,
  values: ConfigValues,
  fields: readonly ConfigField[],
  { file, read, write }: SaveCalls,
  changed = changedFields(base, values, fields),
): Promise<Saved> {
  return inTurn(`auth-file ${file}`, async () => {
    const fresh = await read();
    const open = changed.filter((field) => !sameValue(field, fresh, values));
    const conflicts = open.filter((field) => !sameValue(field, fresh, base));
    if (conflicts.length > 0) return { kind: 'conflict', values: fresh, fields: conflicts };
    if (open.length === 0) return { kind: 'saved', values: fresh };
    let lost: unknown = null;
    try {
      await write(configChanges(fresh, values, open));
    } catch (error) {
      if (!isLostAnswer(error)) throw error;
      lost = error;
    }
    let stored: ConfigValues;
    try {
      stored = await read();
    } catch {
      // A confirmed change is stored, whatever the file shows.
      return lost === null
        ? { kind: 'saved', values: { ...fresh, ...pick(values, changed) } }
        : { kind: 'unknown', error: lost };
    }
    const different = changed.filter((field) => !sameValue(field, stored, values));
    if (different.length === 0) return { kind: 'saved', values: stored };
    if (lost === null) return { kind: 'different', values: stored, fields: different };
    if (!mayComeLater(lost) && open.every(({ name }) => stored[name] === fresh[name])) throw lost;
    return { kind: 'unknown', error: lost };
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
