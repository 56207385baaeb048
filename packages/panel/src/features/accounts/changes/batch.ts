import type { Account } from '../../../platform/accounts/account.ts';
import { ApiError, isLostAnswer, mayComeLater } from '../../../platform/api/errors.ts';
import type { TextKey } from '../../../platform/i18n/index.ts';
import type { ConfigValue } from '../model/config-form.ts';

/** Changes of accounts, run one after the other. */
export type Command =
  | { readonly kind: 'enable' }
  | { readonly kind: 'disable' }
  | { readonly kind: 'priority'; readonly value: number; readonly seen?: SeenValues }
  | { readonly kind: 'weight'; readonly value: number | null; readonly seen?: SeenValues }
  | { readonly kind: 'websockets'; readonly value: boolean; readonly seen?: SeenValues }
  | { readonly kind: 'download' }
  | { readonly kind: 'resetLimits' }
  /** With the accounts each file contained on screen. */
  | { readonly kind: 'delete'; readonly files: ReadonlyMap<string, readonly Account[]> }
  /** Puts deleted files back, by name with their content. */
  | { readonly kind: 'restore'; readonly files: ReadonlyMap<string, string> };

/** Values that the person has seen, by the key of the account, where they are not those of the list. */
type SeenValues = ReadonlyMap<string, ConfigValue>;

export type Ending =
  | { readonly kind: 'done' }
  /** The manager found another account there, or more of them, and changed nothing. */
  | { readonly kind: 'changed'; readonly message: string }
  | { readonly kind: 'gone' }
  /** Somebody else had set the field, so nothing was written; or the gateway stored another value than was sent. */
  | { readonly kind: 'conflict' | 'different'; readonly field: TextKey; readonly now: ConfigValue }
  /** Nobody answered: it may have been changed. `late` = not in time, so it may still be. */
  | { readonly kind: 'lost'; readonly late: boolean }
  /** Nobody answered, and the list still has the file that was to be deleted. */
  | { readonly kind: 'notDeleted' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The same for those that were not changed. Who has been shown another value than the list's wants mine in its place. */
export function again(command: Command, outcomes: readonly Outcome[]): Command {
  if (command.kind !== 'priority' && command.kind !== 'weight' && command.kind !== 'websockets') return command;
  const shown = outcomes.flatMap(({ account, ending }) =>
    ending.kind === 'conflict' || ending.kind === 'different' ? [[account.key, ending.now] as const] : [],
  );
  return { ...command, seen: new Map([...(command.seen ?? []), ...shown]) };
}

export interface Outcome {
  readonly account: Account;
  readonly ending: Ending;
}

function endingOf(error: unknown): Ending {
  if (error instanceof ApiError && error.status === 409) return { kind: 'changed', message: error.message };
  if (error instanceof ApiError && error.status === 404) return { kind: 'gone' };
  if (!isLostAnswer(error)) return { kind: 'failed', error };
  return { kind: 'lost', late: mayComeLater(error) };
}

/** One at a time, so that the gateway reloads once for each; one that fails does not stop the rest. */
export async function runBatch(
  accounts: readonly Account[],
  act: (account: Account) => Promise<Ending>,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  for (const account of accounts) {
    let ending: Ending;
    try {
      ending = await act(account);
    } catch (error) {
      ending = endingOf(error);
    }
    onOutcome({ account, ending });
  }
}

/** One account per file, so that a file is changed once. */
function onePerFile(accounts: readonly Account[]): readonly Account[] {
  const files = new Map<string, Account>();
  for (const account of accounts) if (!files.has(account.listed.name)) files.set(account.listed.name, account);
  return [...files.values()];
}

/** Accounts a command can change; the others are left out and counted. */
export function reachedBy(command: Command['kind'], accounts: readonly Account[]): readonly Account[] {
  switch (command) {
    case 'enable':
      return accounts.filter(({ listed, switchScope }) => listed.disabled && switchScope !== null);
    case 'disable':
      return accounts.filter(({ listed, switchScope }) => !listed.disabled && switchScope !== null);
    case 'websockets':
      return accounts.filter(({ listed, runtimeOnly }) => listed.provider === 'codex' && !runtimeOnly);
    case 'priority':
    case 'weight':
      return accounts.filter(({ runtimeOnly }) => !runtimeOnly);
    case 'download':
      return onePerFile(accounts.filter(({ runtimeOnly }) => !runtimeOnly));
    case 'delete':
      return onePerFile(accounts.filter(({ runtimeOnly }) => !runtimeOnly));
    case 'resetLimits':
      return accounts.filter(({ listed }) => listed.authIndex !== '');
    default:
      return accounts;
  }
}
