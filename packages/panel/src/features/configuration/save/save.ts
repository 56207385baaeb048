import { ApiError } from '../../../platform/api/errors.ts';
import type { Conflict, Draft } from '../model/merge.ts';
import type { Side } from '../model/merge-lines.ts';
import type { Difference, Review } from '../model/review.ts';
import type { TextProblem } from '../model/yaml-text.ts';
import type { Thread } from '../worker/thread.ts';

export interface SaveDeps {
  readonly read: () => Promise<string>;
  readonly write: (text: string) => Promise<unknown>;
  readonly thread: Pick<Thread, 'mergeDraft' | 'reviewChange' | 'differenceOf' | 'sameConfiguration'>;
  /** How often the manager reads the usage queue, if known, s. */
  readonly pollSeconds: () => number | null;
}

/** A change that can be looked at before it is sent. */
export interface PreparedSave {
  /** What the gateway had a moment ago. */
  readonly latest: string;
  readonly text: string;
  readonly review: Review;
  readonly conflicts: readonly Conflict[];
  /** Somebody else changed the configuration since the draft began. */
  readonly merged: boolean;
}

export type Preparation =
  | ({ readonly kind: 'ready' } & PreparedSave)
  | { readonly kind: 'unchanged'; readonly latest: string }
  | { readonly kind: 'unreadable'; readonly problems: readonly TextProblem[] }
  | { readonly kind: 'shared' };

/** Reads the newest text and puts the draft onto it. */
export async function prepareSave(deps: SaveDeps, draft: Draft, sides: readonly Side[] = []): Promise<Preparation> {
  const latest = await deps.read();
  const merged = await deps.thread.mergeDraft(draft, latest, sides);
  if (!merged.ok)
    return merged.reason === 'shared' ? { kind: 'shared' } : { kind: 'unreadable', problems: merged.problems };
  if (merged.text === latest && merged.conflicts.length === 0) return { kind: 'unchanged', latest };
  const review = await deps.thread.reviewChange(latest, merged.text, deps.pollSeconds());
  return {
    kind: 'ready',
    latest,
    text: merged.text,
    review,
    conflicts: merged.conflicts,
    merged: latest !== draft.base,
  };
}

export type SaveOutcome =
  /** Another text than the reviewed one is there now: nothing was sent. */
  | { readonly kind: 'outdated' }
  /** The gateway refused the text: nothing was saved. */
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** Saved. `adjusted`: what the gateway wrote differently, such as comments that moved. */
  | { readonly kind: 'saved'; readonly text: string; readonly adjusted: Difference | null }
  /** Accepted, and the gateway does not answer the read that follows: it may listen elsewhere, or want another key. */
  | { readonly kind: 'unread'; readonly error: unknown }
  /** What was read afterwards has other values. */
  | { readonly kind: 'different'; readonly text: string; readonly difference: Difference }
  /** No answer, and the text is the old one. */
  | { readonly kind: 'not-saved'; readonly text: string; readonly error: unknown }
  /** No answer, neither to the write nor to the read. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** Sends a reviewed change and reads what came of it. */
export async function sendSave(deps: SaveDeps, { latest, text }: PreparedSave): Promise<SaveOutcome> {
  if ((await deps.read()) !== latest) return { kind: 'outdated' };
  let failure: unknown = null;
  try {
    await deps.write(text);
  } catch (error) {
    if (isRefusal(error)) return { kind: 'refused', error };
    failure = error;
  }
  let now: string;
  try {
    now = await deps.read();
  } catch (error) {
    return failure === null ? { kind: 'unread', error } : { kind: 'unknown', error: failure };
  }
  if (now === text) return { kind: 'saved', text: now, adjusted: null };
  if (failure !== null && now === latest) return { kind: 'not-saved', text: now, error: failure };
  const difference = await deps.thread.differenceOf(text, now);
  if (await deps.thread.sameConfiguration(text, now)) return { kind: 'saved', text: now, adjusted: difference };
  return { kind: 'different', text: now, difference };
}

/** A no before anything is written. Others, such as 502, say nothing about what was written. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 408;
}
