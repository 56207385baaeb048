import { readOnce } from './cached-reader.ts';
import { type Edit, type EditedText, editText } from './edit-text.ts';
import { type LineConflict, mergeLines, type Side } from './merge-lines.ts';
import { type ConfigValue, sameValue, valueAt } from './values.ts';

/** What a person made of a configuration. */
export interface Draft {
  /** The text that the gateway had. */
  readonly base: string;
  /** The same, or as typed. */
  readonly text: string;
  /** Fields that were changed in that text. */
  readonly edits: readonly Edit[];
}

/** A setting that both sides changed in different ways. */
interface FieldConflict {
  readonly id: string;
  readonly mine: ConfigValue | undefined;
  readonly theirs: ConfigValue | undefined;
}

export type Conflict = ({ readonly kind: 'field' } & FieldConflict) | ({ readonly kind: 'lines' } & LineConflict);

export type Merged =
  | { readonly ok: true; readonly text: string; readonly conflicts: readonly Conflict[] }
  | Extract<EditedText, { ok: false }>;

/** Puts a draft onto the newest text. `sides` chooses for each conflict, in their order; without it one's own side. */
export function mergeDraft({ base, text, edits }: Draft, latest: string, sides: readonly Side[] = []): Merged {
  if (text === base && latest !== base) return mergeFields(base, edits, latest, sides);
  const mine = editText(text, edits);
  if (!mine.ok || latest === base) return mine.ok ? { ...mine, conflicts: [] } : mine;
  const merged = mergeLines(base, mine.text, latest);
  const conflicts = merged.conflicts.map((conflict) => ({ kind: 'lines' as const, ...conflict }));
  return { ok: true, text: merged.resolve(sides), conflicts };
}

/** Only fields were changed: they alone are put onto the newest text. */
function mergeFields(base: string, edits: readonly Edit[], latest: string, sides: readonly Side[]): Merged {
  const [before, now] = [readOnce(base), readOnce(latest)];
  if (!before.ok || !now.ok)
    return { ok: false, reason: 'unreadable', problems: before.ok ? (now.ok ? [] : now.problems) : before.problems };
  const conflicts: Conflict[] = [];
  const applied: Edit[] = [];
  for (const edit of edits) {
    const theirs = valueAt(now.values, edit.path);
    const changed = !sameValue(valueAt(before.values, edit.path), theirs);
    if (changed && !sameValue(theirs, edit.value)) {
      const side = sides[conflicts.length] ?? 'mine';
      conflicts.push({ kind: 'field', id: edit.path.join('.'), mine: edit.value, theirs });
      if (side === 'theirs') continue;
    }
    applied.push(edit);
  }
  const merged = editText(latest, applied);
  return merged.ok ? { ok: true, text: merged.text, conflicts } : merged;
}
