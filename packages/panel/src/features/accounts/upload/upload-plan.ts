import { type Account, membersOf } from '../../../platform/accounts/account.ts';
import { sameScopes } from '../changes/file-scope.ts';
import type { Draft, SourceProblem } from './read-source.ts';

/** A draft beside what the gateway has under its name. */
export interface PlannedUpload extends Draft {
  readonly key: string;
  /** Accounts of the file that it would replace. */
  readonly members: readonly Account[];
  /** Confirmed for exactly these accounts. */
  readonly replaces: boolean;
  readonly refusal: SourceProblem | 'duplicate' | null;
}

/** Whether it is sent. */
export const isReady = ({ refusal, members, replaces }: PlannedUpload): boolean =>
  refusal === null && (members.length === 0 || replaces);

/** Names of one upload must differ: the gateway drops directories, so the later one would overwrite the earlier. */
export function planUploads(drafts: readonly (Draft & { key: string })[], listed: readonly Account[]): PlannedUpload[] {
  const taken = new Set<string>();
  return drafts.map((draft) => {
    const name = draft.name.toLowerCase();
    const duplicate = draft.problem === null && taken.has(name);
    if (draft.problem === null) taken.add(name);
    return {
      ...draft,
      members: membersOf(listed, draft.name),
      replaces: false,
      refusal: draft.problem ?? (duplicate ? 'duplicate' : null),
    };
  });
}

/** The same with the list read again: a confirmation holds only while the same accounts would be replaced. */
export function replan(planned: readonly PlannedUpload[], listed: readonly Account[]): readonly PlannedUpload[] {
  return planned.map((upload) => {
    const members = membersOf(listed, upload.name);
    const same = sameScopes([scope(upload.name, upload.members)], [scope(upload.name, members)]);
    return same ? upload : { ...upload, members, replaces: false };
  });
}

const scope = (file: string, members: readonly Account[]) => ({ file, members, chosen: 0 });
