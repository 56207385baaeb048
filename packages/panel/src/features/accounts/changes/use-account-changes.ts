import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Client } from '../../../api/client.ts';
import { useServices } from '../../../app/services.ts';
import { saveFile } from '../../../ui/table/export.ts';
import {
  ACCOUNTS_KEY,
  changeFields,
  deleteFile,
  downloadFile,
  listFiles,
  resetGatewayLimits,
  switchAccount,
} from '../account-calls.ts';
import { type Account, membersOf, readAccounts } from '../model/account.ts';
import { type Command, type Outcome, runBatch } from './batch.ts';

interface ChangeRun {
  readonly command: Command;
  readonly total: number;
  readonly outcomes: readonly Outcome[];
  /** Chosen ones that had vanished before it began. */
  readonly vanished: number;
  readonly running: boolean;
}

export interface AccountChanges {
  /** The last command, so far. */
  readonly run: ChangeRun | null;
  /** Keys of accounts that are being changed or wait for it. */
  readonly busy: ReadonlySet<string>;
  readonly act: (command: Command, accounts: readonly Account[]) => Promise<void>;
  readonly dismiss: () => void;
}

const NONE: ReadonlySet<string> = new Set();
const SETTLES_MS = 1_000;

/**
 * Changes accounts at the gateway. Each call names the account as it is on screen, so that the manager refuses where another
 * one is there by now.
 *
 * @param listed all accounts on screen
 */
export function useAccountChanges(listed: readonly Account[]): AccountChanges {
  const { client } = useServices();
  const queries = useQueryClient();
  const [run, setRun] = useState<ChangeRun | null>(null);
  const [busy, setBusy] = useState(NONE);
  const running = useRef(false);

  const readAgain = () => queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'files'] });

  async function act(command: Command, accounts: readonly Account[]): Promise<void> {
    // A second press can come before the buttons are drawn as disabled.
    if (running.current || accounts.length === 0) return;
    running.current = true;
    setBusy(new Set(accounts.map(({ key }) => key)));
    setRun({ command, total: accounts.length, outcomes: [], vanished: 0, running: true });
    const outcomes: Outcome[] = [];
    try {
      const present = accounts.length === 1 ? accounts : await stillPresent(client, accounts);
      const base = { command, total: present.length, vanished: accounts.length - present.length };
      setRun({ ...base, outcomes: [], running: true });
      await runBatch(
        present,
        (account) => perform(client, command, account, membersOf(listed, account.credential.name)),
        (outcome) => {
          outcomes.push(outcome);
          setRun({ ...base, outcomes: [...outcomes], running: true });
        },
      );
      setRun({ ...base, outcomes: [...outcomes], running: false });
    } catch (error) {
      // The list could not be read, so that nothing was begun.
      const failed = accounts.map((account): Outcome => ({ account, ending: { kind: 'failed', error } }));
      setRun({ command, total: accounts.length, outcomes: failed, vanished: 0, running: false });
    } finally {
      running.current = false;
      await readAgain();
      setBusy(NONE);
      // The gateway's list may say the old state for a moment.
      setTimeout(() => void readAgain(), SETTLES_MS);
    }
  }

  return { run, busy, act, dismiss: () => setRun(null) };
}

async function stillPresent(client: Client, accounts: readonly Account[]): Promise<readonly Account[]> {
  const keys = new Set(readAccounts(await listFiles(client)).map(({ key }) => key));
  return accounts.filter(({ key }) => keys.has(key));
}

function perform(client: Client, command: Command, account: Account, members: readonly Account[]): Promise<void> {
  switch (command.kind) {
    case 'enable':
    case 'disable':
      return switchAccount(client, account, members, command.kind === 'disable');
    case 'priority':
      return changeFields(client, account, { priority: command.value });
    case 'weight':
      return changeFields(client, account, { weight: command.value });
    case 'websockets':
      return changeFields(client, account, { websockets: command.value });
    case 'resetLimits':
      return resetGatewayLimits(client, account);
    case 'delete':
      return deleteFile(client, account.credential.name, command.files.get(account.credential.name) ?? members);
    case 'download':
      return saveAuthFile(client, account);
  }
}

async function saveAuthFile(client: Client, { credential }: Account): Promise<void> {
  saveFile(credential.name, 'application/json', await downloadFile(client, credential.name));
}
