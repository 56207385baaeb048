import { type Account, membersOf } from '../../../platform/accounts/account.ts';
import type { Command, Ending, Outcome } from './batch.ts';

/** Whether the list shows what a command was to do; null = the list does not show it. */
function isDone(command: Command, account: Account, listed: readonly Account[]): boolean | null {
  const isThere = membersOf(listed, account.listed.name).length > 0;
  if (command.kind === 'delete') return !isThere;
  if (command.kind === 'restore') return isThere;
  const now = listed.find(({ key }) => key === account.key);
  if (now === undefined) return null;
  switch (command.kind) {
    case 'enable':
    case 'disable':
      return now.listed.disabled === (command.kind === 'disable');
    case 'priority':
      return (now.priority ?? 0) === command.value;
    case 'weight':
      return now.weight === command.value;
    case 'websockets':
      return (now.entry.websockets === true) === command.value;
    default:
      return null;
  }
}

/**
 * Decides by the list about changes whose answer was lost. The list may show the old state for a moment, so an account is never
 * called unchanged; only a file that it still has is not deleted.
 *
 * @param listed null = the list could not be read either
 */
export function settled(
  command: Command,
  outcomes: readonly Outcome[],
  listed: readonly Account[] | null,
): readonly Outcome[] {
  return outcomes.map(({ account, ending }) => {
    if (ending.kind !== 'lost' || listed === null) return { account, ending };
    return { account, ending: settledEnding(command, ending, isDone(command, account, listed)) };
  });
}

function settledEnding(command: Command, ending: Extract<Ending, { kind: 'lost' }>, isDone: boolean | null): Ending {
  if (isDone === true) return { kind: 'done' };
  return command.kind === 'delete' && !ending.late ? { kind: 'notDeleted' } : ending;
}

/** Contents of the files that a command has deleted, which can be put back. */
export function restorable(
  { kind }: Command,
  outcomes: readonly Outcome[],
  contents: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const deleted = kind === 'delete' ? outcomes.filter(({ ending }) => ending.kind === 'done') : [];
  return new Map(
    deleted.flatMap(({ account: { listed } }) => {
      const content = contents.get(listed.name);
      return content === undefined ? [] : [[listed.name, content] as const];
    }),
  );
}
