import { FIELDS, type FieldValue, fieldId, fieldOf } from './model/fields.ts';
import type { Draft } from './model/merge.ts';
import type { Summary } from './model/summary.ts';
import { type ConfigValue, sameValue } from './model/values.ts';

/** What a person made of the configuration so far. */
export interface DraftState {
  /** The text that the gateway had. */
  readonly base: string;
  readonly text: string;
  /** Values of changed fields by id; undefined removes the setting. */
  readonly edits: ReadonlyMap<string, ConfigValue | undefined>;
  /** Fields whose input is no value yet, with the input. */
  readonly unfinished: ReadonlyMap<string, string>;
}

export const freshDraft = (text: string): DraftState => ({ base: text, text, edits: new Map(), unfinished: new Map() });

export const isDirty = ({ base, text, edits, unfinished }: DraftState): boolean =>
  base !== text || edits.size > 0 || unfinished.size > 0;

export function toDraft({ base, text, edits }: DraftState): Draft {
  return { base, text, edits: [...edits].map(([id, value]) => ({ path: fieldOf(id)?.path ?? [id], value })) };
}

export interface FieldState {
  readonly value: FieldValue;
  readonly changed: boolean;
  /** Input that is no value. */
  readonly unfinished: string | undefined;
}

const UNSET: FieldValue = { state: 'unset' };

/** A field as the draft has it. `summary`: of the draft's text, `before`: of the base. */
export function fieldState(draft: DraftState, id: string, summary: Summary, before: Summary | null): FieldState {
  const inText = summary.fields[id] ?? UNSET;
  const edited = draft.edits.get(id);
  const value: FieldValue = !draft.edits.has(id)
    ? inText
    : edited === undefined
      ? UNSET
      : { state: 'set', value: edited };
  const old = before?.fields[id] ?? UNSET;
  return {
    value,
    changed: draft.unfinished.has(id) || !sameValue(rawValue(value), rawValue(old)),
    unfinished: draft.unfinished.get(id),
  };
}

function rawValue(value: FieldValue): ConfigValue | undefined {
  return value.state === 'unset' ? undefined : value.value;
}

/** With a field changed; the value that the text has anyway is no change. */
export function withEdit(draft: DraftState, id: string, value: ConfigValue | undefined, summary: Summary): DraftState {
  const edits = new Map(draft.edits);
  const inText = rawValue(summary.fields[id] ?? UNSET);
  if (sameValue(inText, value)) edits.delete(id);
  else edits.set(id, value);
  const unfinished = new Map(draft.unfinished);
  unfinished.delete(id);
  return { ...draft, edits, unfinished };
}

export function withUnfinished(draft: DraftState, id: string, input: string): DraftState {
  return { ...draft, unfinished: new Map(draft.unfinished).set(id, input) };
}

/** With a field as the gateway has it. */
export function withoutEdit(draft: DraftState, id: string, summary: Summary, before: Summary | null): DraftState {
  return withEdit(draft, id, rawValue(before?.fields[id] ?? UNSET), summary);
}

export interface SectionCounts {
  readonly changed: number;
  readonly invalid: number;
}

export function sectionCounts(
  draft: DraftState,
  section: string,
  summary: Summary,
  before: Summary | null,
): SectionCounts {
  let [changed, invalid] = [0, 0];
  for (const field of FIELDS) {
    if (field.section !== section) continue;
    const state = fieldState(draft, fieldId(field), summary, before);
    if (state.changed) changed++;
    if (state.value.state === 'invalid' || state.unfinished !== undefined) invalid++;
  }
  return { changed, invalid };
}
