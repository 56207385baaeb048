import { readOnce } from './cached-reader.ts';
import { clientKeysIn } from './effects.ts';
import { FIELDS, type FieldValue, fieldId, readField } from './fields.ts';
import { type Misfit, misfitsOf } from './misfits.ts';
import { isList, isObject, valueAt } from './values.ts';
import type { TextProblem } from './yaml-text.ts';

/** What the visual mode shows of a text. */
export interface Summary {
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly clientKeys: number;
  /** Entries of the lists that have pages of their own. */
  readonly providers: number;
  readonly modelRules: number;
  readonly misfits: readonly Misfit[];
}

export type Summarized =
  | { readonly ok: true; readonly summary: Summary }
  | { readonly ok: false; readonly problems: readonly TextProblem[] };

const PROVIDERS = [
  'gemini-api-key',
  'interactions-api-key',
  'codex-api-key',
  'xai-api-key',
  'claude-api-key',
  'vertex-api-key',
  'openai-compatibility',
];
const MODEL_RULES = ['oauth-excluded-models', 'oauth-model-alias', 'oauth-request-scoped-errors'];

export function summarize(text: string): Summarized {
  const read = readOnce(text);
  if (!read.ok) return read;
  const { values } = read;
  const count = (names: readonly string[]) =>
    names.reduce((sum, name) => {
      const value = valueAt(values, [name]);
      return sum + (isList(value) ? value.length : isObject(value) ? Object.keys(value).length : 0);
    }, 0);
  return {
    ok: true,
    summary: {
      fields: Object.fromEntries(FIELDS.map((field) => [fieldId(field), readField(values, field)])),
      clientKeys: clientKeysIn(values).size,
      providers: count(PROVIDERS),
      modelRules: count(MODEL_RULES),
      misfits: misfitsOf(text, read),
    },
  };
}
