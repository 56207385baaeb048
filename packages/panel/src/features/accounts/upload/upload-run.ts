import type { Account } from '../../../platform/accounts/account.ts';
import { isLostAnswer } from '../../../platform/api/errors.ts';
import { isReady, type PlannedUpload, replan } from './upload-plan.ts';

export type UploadEnding =
  | { readonly kind: 'queued' | 'sending' | 'done' }
  /** Accepted, but the list does not have it. */
  | { readonly kind: 'missing' }
  /** The answer was lost, and the list does not tell. */
  | { readonly kind: 'unknown' }
  /** A file of this name appeared or changed meanwhile: not sent. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface UploadCalls {
  readonly list: () => Promise<readonly Account[]>;
  readonly send: (name: string, content: string) => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly onEnding: (key: string, ending: UploadEnding) => void;
}

/** The gateway lists a new file after a moment. */
const LIST_MS = 1_000;
const LIST_TRIES = 6;

/**
 * Sends the ready ones, one after the other, and looks afterwards which of them the gateway lists. Returns the plan as it is
 * with the list that was read before; throws when that failed, and nothing was sent.
 */
export async function runUploads(
  planned: readonly PlannedUpload[],
  { list, send, wait, isStopped, onEnding }: UploadCalls,
): Promise<readonly PlannedUpload[]> {
  const before = await list();
  const fresh = replan(planned, before);
  const accepted: PlannedUpload[] = [];
  const lost: PlannedUpload[] = [];
  for (const [index, upload] of fresh.entries()) {
    const wanted = planned[index];
    if (wanted === undefined || !isReady(wanted) || isStopped()) continue;
    const { key } = upload;
    if (!isReady(upload)) {
      onEnding(key, { kind: 'conflict' });
      continue;
    }
    onEnding(key, { kind: 'sending' });
    try {
      await send(upload.name, upload.content);
      accepted.push(upload);
    } catch (error) {
      if (isLostAnswer(error)) lost.push(upload);
      onEnding(key, isLostAnswer(error) ? { kind: 'unknown' } : { kind: 'failed', error });
    }
  }
  await confirm(accepted, lost, { list, wait, onEnding });
  return fresh;
}

async function confirm(
  accepted: readonly PlannedUpload[],
  lost: readonly PlannedUpload[],
  { list, wait, onEnding }: Pick<UploadCalls, 'list' | 'wait' | 'onEnding'>,
): Promise<void> {
  let open = accepted;
  let unsure = lost;
  let isRead = false;
  for (let attempt = 0; attempt < LIST_TRIES && open.length + unsure.length > 0; attempt += 1) {
    if (attempt > 0) await wait(LIST_MS);
    try {
      const listed = await list();
      isRead = true;
      const isListed = ({ name }: PlannedUpload) => listed.some((account) => account.listed.name === name);
      const arrived = [
        ...open.filter(isListed),
        ...unsure.filter((upload) => isListed(upload) && isNew(upload, listed)),
      ];
      for (const { key } of arrived) onEnding(key, { kind: 'done' });
      open = open.filter((upload) => !arrived.includes(upload));
      unsure = unsure.filter((upload) => !arrived.includes(upload));
    } catch {
      // Asked again.
    }
  }
  for (const { key } of open) onEnding(key, { kind: isRead ? 'missing' : 'unknown' });
}

/** Whether the file is another one than before. */
function isNew({ name, members }: PlannedUpload, listed: readonly Account[]): boolean {
  const marks = (accounts: readonly Account[]) =>
    JSON.stringify(accounts.filter((one) => one.listed.name === name).map(({ entry }) => [entry.size, entry.modtime]));
  return members.length === 0 || marks(members) !== marks(listed);
}
