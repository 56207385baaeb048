import type { Account } from '../../../platform/accounts/account.ts';

/** A file and all accounts in it. */
export interface FileScope {
  readonly file: string;
  readonly members: readonly Account[];
  /** How many of them were selected. */
  readonly chosen: number;
}

/** Files of the selected accounts as currently listed; missing ones are left out. */
export function fileScopes(listed: readonly Account[], chosen: readonly Account[]): readonly FileScope[] {
  const keys = new Set(chosen.map(({ key }) => key));
  const files = [...new Set(chosen.map(({ listed: account }) => account.name))];
  return files.flatMap((file) => {
    const members = listed.filter(({ listed: account }) => account.name === file);
    return members.length === 0 ? [] : { file, members, chosen: members.filter(({ key }) => keys.has(key)).length };
  });
}

/** Whether both name the same accounts of the same files. */
export function sameScopes(left: readonly FileScope[], right: readonly FileScope[]): boolean {
  return scopeText(left) === scopeText(right);
}

function scopeText(scopes: readonly FileScope[]): string {
  return JSON.stringify(
    scopes.map(({ file, members }) => [
      file,
      members
        .map(({ listed: { runtimeId, authIndex, provider, accountSnapshot, accountIds } }) =>
          JSON.stringify([runtimeId, authIndex, provider, accountSnapshot, accountIds]),
        )
        .sort(),
    ]),
  );
}
