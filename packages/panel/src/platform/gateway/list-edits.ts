import { ApiError, mayComeLater } from '../api/errors.ts';
import { isRecord } from '../browser/storage.ts';
import { inTurn } from './in-turn.ts';

/**
 * Edits of lists that the gateway only reads and writes as a whole, without a revision: each edit reads the list again, changes
 * one entry by identity, writes, and reads back. So what others changed meanwhile is kept, or the edit is refused with a choice.
 * Entries are JSON.
 */
export interface EditableList<E> {
  /** Edits of lists with the same name run one after the other, in every tab. */
  readonly name: string;
  readonly read: () => Promise<readonly E[]>;
  /** `changed` is for endpoints that write a single entry. */
  readonly write: (entries: readonly E[], changed: ChangedEntry<E>) => Promise<unknown>;
  /** What an entry is recognized by. */
  readonly identity: (entry: E) => string;
  /** The entry as it is compared, without what only the gateway sets. */
  readonly comparable?: (entry: E) => unknown;
}

interface ChangedEntry<E> {
  /** null = a new entry. */
  readonly before: E | null;
  /** null = removed. */
  readonly after: E | null;
}

/** `base` is the entry that the person saw. */
export type ListEdit<E> =
  | { readonly kind: 'add'; readonly entry: E /** Place in the list; absent = the end. */; readonly at?: number }
  | {
      readonly kind: 'change';
      readonly base: E;
      readonly entry: E;
      /** Where both changed a member, theirs stays and the rest is written. */
      readonly yields?: boolean;
    }
  | { readonly kind: 'remove'; readonly base: E };

type Refusal<E> =
  /** The list is like this already. */
  | { readonly kind: 'same' }
  /** Nobody lists the entry any more. */
  | { readonly kind: 'gone' }
  /** Another entry has its identity. */
  | { readonly kind: 'taken' }
  /** Somebody else changed the same members, or the entry to remove. */
  | { readonly kind: 'conflict'; readonly members: readonly string[]; readonly theirs: E };

export type EditOutcome<E> =
  | Refusal<E>
  | {
      readonly kind: 'done';
      /** As the gateway lists it now; null = removed. */
      readonly entry: E | null;
      /** What it was right before; null = new. */
      readonly before: E | null;
      /** Place in the list before a removal, or after anything else. */
      readonly at: number;
      /** What was sent; null = removed. */
      readonly sent: E | null;
      /** Members that the gateway stored otherwise than sent. */
      readonly altered: readonly string[];
      /** Members left as somebody else had changed them. */
      readonly kept: readonly string[];
    }
  /** The gateway confirmed the change and does not list it. */
  | { readonly kind: 'unconfirmed' }
  /** No answer, and the list does not show what came of it. */
  | { readonly kind: 'unknown'; readonly error: unknown };

type EditPlan<E> =
  | Refusal<E>
  | ({
      readonly kind: 'write';
      readonly entries: readonly E[];
      readonly at: number;
      readonly kept: readonly string[];
    } & ChangedEntry<E>);

export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((part, at) => sameJson(part, other[at]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => sameJson(one[name], other[name]));
}

/** Members of two objects that differ; [''] for other values. */
function differences(one: unknown, other: unknown): readonly string[] {
  if (!isRecord(one) || !isRecord(other)) return sameJson(one, other) ? [] : [''];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !sameJson(one[name], other[name]));
}

/** Three versions as one; `conflicts` are members that both sides changed differently, with the winner's in `merged`. */
export function mergeJson(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  winner: 'mine' | 'theirs' = 'mine',
): { readonly merged: unknown; readonly conflicts: readonly string[] } {
  if (sameJson(mine, theirs) || sameJson(mine, base)) return { merged: theirs, conflicts: [] };
  if (sameJson(theirs, base)) return { merged: mine, conflicts: [] };
  if (!isRecord(base) || !isRecord(mine) || !isRecord(theirs)) {
    return { merged: winner === 'mine' ? mine : theirs, conflicts: [''] };
  }
  const merged: Record<string, unknown> = {};
  const conflicts: string[] = [];
  // Their order first, so that a member stays where the gateway has it.
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const part = mergeJson(base[name], mine[name], theirs[name], winner);
    if (part.merged !== undefined) merged[name] = part.merged;
    for (const path of part.conflicts) conflicts.push(path === '' ? name : `${name}.${path}`);
  }
  return { merged, conflicts };
}

/** The place of the entry a person saw: by identity, and by all its members where several share it; -1 = none. */
export function placeOf<E>(list: EditableList<E>, entries: readonly E[], base: E): number {
  const identity = list.identity(base);
  const places = entries.flatMap((entry, at) => (list.identity(entry) === identity ? [at] : []));
  const compared = comparableOf(list);
  const exact = places.find((at) => sameJson(compared(entries[at] as E), compared(base)));
  return exact ?? (places.length === 1 ? (places[0] ?? -1) : -1);
}

const comparableOf =
  <E>(list: EditableList<E>) =>
  (entry: E): unknown =>
    list.comparable === undefined ? entry : list.comparable(entry);

/** What has to be written to the present list. `overrule` = the person has seen the conflict and wants the edit. */
export function planEdit<E>(
  list: EditableList<E>,
  entries: readonly E[],
  edit: ListEdit<E>,
  overrule = false,
): EditPlan<E> {
  const compared = comparableOf(list);
  const isTaken = (entry: E, own: number) =>
    entries.some((other, at) => at !== own && list.identity(other) === list.identity(entry));
  if (edit.kind === 'add') {
    if (isTaken(edit.entry, -1)) return { kind: 'taken' };
    const at = Math.min(edit.at ?? entries.length, entries.length);
    const added = entries.toSpliced(at, 0, edit.entry);
    return { kind: 'write', entries: added, at, before: null, after: edit.entry, kept: [] };
  }
  const at = placeOf(list, entries, edit.base);
  const theirs = entries[at];
  if (theirs === undefined) return edit.kind === 'remove' ? { kind: 'same' } : { kind: 'gone' };
  if (edit.kind === 'remove') {
    const members = differences(compared(theirs), compared(edit.base));
    if (members.length > 0 && !overrule) return { kind: 'conflict', members, theirs };
    return { kind: 'write', entries: entries.toSpliced(at, 1), at, before: theirs, after: null, kept: [] };
  }
  const { base, entry, yields = false } = edit;
  const winner = yields ? 'theirs' : 'mine';
  const { merged, conflicts } = mergeJson(compared(base), compared(entry), compared(theirs), winner);
  const after = merged as E;
  const same = sameJson(after, compared(theirs));
  if (conflicts.length > 0 && !overrule && (same || !yields)) return { kind: 'conflict', members: conflicts, theirs };
  if (same) return { kind: 'same' };
  if (list.identity(after) !== list.identity(theirs) && isTaken(after, at)) return { kind: 'taken' };
  const kept = yields ? conflicts : [];
  return { kind: 'write', entries: entries.with(at, after), at, before: theirs, after, kept };
}

/**
 * Takes an edit back, and only what it changed: members that somebody else changed since stay theirs. Null = nothing was
 * changed.
 */
export function undoOf<E>(outcome: EditOutcome<E>): ListEdit<E> | null {
  if (outcome.kind !== 'done') return null;
  const { entry, before, sent, at } = outcome;
  if (entry === null || sent === null) return before === null ? null : { kind: 'add', entry: before, at };
  if (before === null) return { kind: 'remove', base: entry };
  return { kind: 'change', base: entry, entry: mergeJson(sent, before, entry).merged as E, yields: true };
}

/**
 * Makes one edit.
 *
 * @throws what the gateway answered, when nothing was written
 */
export function editList<E>(
  list: EditableList<E>,
  edit: ListEdit<E>,
  { overrule = false }: { readonly overrule?: boolean } = {},
): Promise<EditOutcome<E>> {
  return inTurn(list.name, async () => {
    const plan = planEdit(list, await list.read(), edit, overrule);
    if (plan.kind !== 'write') return plan;
    let lost: unknown = null;
    try {
      await list.write(plan.entries, { before: plan.before, after: plan.after });
    } catch (error) {
      if (isRefusal(error)) throw error;
      lost = error;
    }
    let listed: readonly E[];
    try {
      listed = await list.read();
    } catch (error) {
      return { kind: 'unknown', error: lost ?? error };
    }
    const found = confirmed(list, listed, plan);
    if (lost === null) return found ?? { kind: 'unconfirmed' };
    if (found !== null)
      return isAsWritten(found, list, plan) ? { ...found, altered: [] } : { kind: 'unknown', error: lost };
    if (mayComeLater(lost)) return { kind: 'unknown', error: lost };
    throw lost;
  });
}

/** The gateway read the request and did not carry it out. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'status' && error.status < 500;
}

type Written<E> = Extract<EditPlan<E>, { readonly kind: 'write' }>;
type Done<E> = Extract<EditOutcome<E>, { readonly kind: 'done' }>;

/** The outcome where the list has any of what was written; null = it is as if nothing had been. */
function confirmed<E>(
  list: EditableList<E>,
  listed: readonly E[],
  { entries, before, after, at, kept }: Written<E>,
): Done<E> | null {
  const compared = comparableOf(list);
  if (after === null) {
    // Also one that others changed meanwhile is still there.
    const identity = before === null ? null : list.identity(before);
    const count = (all: readonly E[]) => all.filter((entry) => list.identity(entry) === identity).length;
    return count(listed) > count(entries)
      ? null
      : { kind: 'done', entry: null, before, at, sent: null, altered: [], kept };
  }
  const place = placeOf(list, listed, after);
  const entry = listed[place];
  if (entry === undefined) return null;
  const altered = differences(compared(entry), compared(after));
  if (before !== null) {
    const changed = differences(compared(before), compared(after));
    const isBack = (name: string) => sameJson(memberOf(compared(entry), name), memberOf(compared(before), name));
    if (changed.every((name) => altered.includes(name) && isBack(name))) return null;
  }
  return { kind: 'done', entry, before, at: place, sent: after, altered, kept };
}

/** Whether the entry has my value in each member that I changed, whatever others did to the rest. */
function isAsWritten<E>({ altered }: Done<E>, list: EditableList<E>, { before, after }: Written<E>): boolean {
  const compared = comparableOf(list);
  const mine = before === null || after === null ? altered : differences(compared(before), compared(after));
  return mine.every((name) => !altered.includes(name));
}

const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : value);
