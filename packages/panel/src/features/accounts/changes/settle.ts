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
 * Decides by the list about changes whose answer was lost. Without an answer an unchanged account may still change, so it is
 * never called unchanged.
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
    const done: Ending = { kind: 'done' };
    return { account, ending: isDone(command, account, listed) === true ? done : ending };
  });
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
