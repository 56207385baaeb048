import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Account, membersOf, readAccounts } from '../../../platform/accounts/account.ts';
import {
  ACCOUNTS_KEY,
  COOLDOWNS_KEY,
  deleteFile,
  downloadFile,
  listFiles,
  resetGatewayLimits,
  switchAccount,
  uploadFile,
} from '../../../platform/accounts/account-calls.ts';
import type { Client } from '../../../platform/api/client.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { useServices } from '../../../platform/api/services.ts';
import { saveFile } from '../../../ui/table/export.ts';
import { configCalls } from '../model/config-calls.ts';
import { fieldNamed } from '../model/config-form.ts';
import { type Command, type Ending, type Outcome, runBatch } from './batch.ts';
import { setField } from './set-field.ts';
import { restorable, settled } from './settle.ts';

interface ChangeRun {
  readonly command: Command;
  readonly total: number;
  readonly outcomes: readonly Outcome[];
  /** Selected accounts that had vanished before it started. */
  readonly vanished: number;
  readonly running: boolean;
  /** Files that it deleted and that can be put back, while this note is open. */
  readonly deleted: ReadonlyMap<string, string>;
}

/** An undoable change of one account. */
export interface Switched {
  readonly account: Account;
  readonly kind: 'enable' | 'disable';
  readonly atMs: number;
}

export interface AccountChanges {
  /** Progress of the last command. */
  readonly run: ChangeRun | null;
  /** Recently changed single accounts, each once, the newest last. */
  readonly switched: readonly Switched[];
  /** Keys of accounts that are being changed or wait for it. */
  readonly busy: ReadonlySet<string>;
  readonly act: (command: Command, accounts: readonly Account[]) => Promise<void>;
  readonly dismiss: () => void;
  readonly dismissSwitch: (key: string) => void;
}

const NONE: ReadonlySet<string> = new Set();
const NO_FILES: ReadonlyMap<string, string> = new Map();
const SETTLES_MS = 1_000;
/** Older changes are dropped at the next change, ms. */
const SWITCH_KEPT_MS = 60_000;

/**
 * Changes accounts at the gateway. Each request names the account as it is on screen, so that the manager refuses if another one
 * is there by now. `listed` = all accounts on screen.
 */
export function useAccountChanges(listed: readonly Account[]): AccountChanges {
  const { client } = useServices();
  const queries = useQueryClient();
  const [run, setRun] = useState<ChangeRun | null>(null);
  const [switched, setSwitched] = useState<readonly Switched[]>([]);
  const [busy, setBusy] = useState(NONE);
  const waiting = useRef(new Set<string>());
  const queue = useRef(Promise.resolve());

  // A person's change ends the cooldown of its account.
  const readAgain = () =>
    Promise.all([[ACCOUNTS_KEY, 'files'], COOLDOWNS_KEY].map((queryKey) => queries.invalidateQueries({ queryKey })));

  async function act(command: Command, chosen: readonly Account[]): Promise<void> {
    // A second click may come before the buttons are drawn as disabled.
    const accounts = chosen.filter(({ key }) => !waiting.current.has(key));
    if (accounts.length === 0) return;
    for (const { key } of accounts) waiting.current.add(key);
    setBusy(new Set(waiting.current));
    // Never two at the gateway at once; later changes wait.
    queue.current = queue.current.then(() => runCommand(command, accounts));
    await queue.current;
    await readAgain();
    for (const { key } of accounts) waiting.current.delete(key);
    setBusy(new Set(waiting.current));
    // The gateway's list may show the old state for a moment.
    setTimeout(() => void readAgain(), SETTLES_MS);
  }

  async function runCommand(command: Command, accounts: readonly Account[]): Promise<void> {
    setRun({ command, total: accounts.length, outcomes: [], vanished: 0, running: true, deleted: NO_FILES });
    const outcomes: Outcome[] = [];
    const contents = new Map<string, string>();
    try {
      const listedAlone = accounts.length === 1 || command.kind === 'restore';
      const present = listedAlone ? accounts : await stillPresent(client, accounts);
      const base = {
        command,
        total: present.length,
        vanished: accounts.length - present.length,
        deleted: NO_FILES,
      };
      setRun({ ...base, outcomes: [], running: true });
      await runBatch(
        present,
        (account) => perform(client, command, account, membersOf(listed, account.listed.name), contents),
        (outcome) => {
          outcomes.push(outcome);
          setRun({ ...base, outcomes: [...outcomes], running: true });
        },
      );
      const ended = await settle(client, command, outcomes);
      const [only] = ended;
      const { kind } = command;
      if (accounts.length === 1 && only?.ending.kind === 'done' && (kind === 'enable' || kind === 'disable')) {
        setRun(null);
        setSwitched((before) => withSwitch(before, { account: only.account, kind, atMs: Date.now() }));
      } else setRun({ ...base, outcomes: ended, running: false, deleted: restorable(command, ended, contents) });
    } catch (error) {
      // The list could not be read, so nothing was started.
      const failed = accounts.map((account): Outcome => ({ account, ending: { kind: 'failed', error } }));
      setRun({ command, total: accounts.length, outcomes: failed, vanished: 0, running: false, deleted: NO_FILES });
    }
  }

  return {
    run,
    switched,
    busy,
    act,
    dismiss: () => setRun(null),
    dismissSwitch: (key) => setSwitched((before) => before.filter(({ account }) => account.key !== key)),
  };
}

/** An account that is changed again keeps its position. */
function withSwitch(before: readonly Switched[], one: Switched): readonly Switched[] {
  const { key } = one.account;
  const kept = before.filter(({ account, atMs }) => account.key === key || one.atMs - atMs < SWITCH_KEPT_MS);
  return kept.some(({ account }) => account.key === key)
    ? kept.map((known) => (known.account.key === key ? one : known))
    : [...kept, one];
}

/** A lost answer is decided by the list, where it shows the change. */
async function settle(client: Client, command: Command, outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
  if (outcomes.every(({ ending }) => ending.kind !== 'lost')) return outcomes;
  const listed = await listFiles(client).then(readAccounts, () => null);
  return settled(command, outcomes, listed);
}

async function stillPresent(client: Client, accounts: readonly Account[]): Promise<readonly Account[]> {
  const keys = new Set(readAccounts(await listFiles(client)).map(({ key }) => key));
  return accounts.filter(({ key }) => keys.has(key));
}

/** @param contents gets what a deleted file held */
async function perform(
  client: Client,
  command: Command,
  account: Account,
  members: readonly Account[],
  contents: Map<string, string>,
): Promise<Ending> {
  switch (command.kind) {
    case 'priority':
    case 'weight':
    case 'websockets':
      return setField(command, account, configCalls(client, account, [fieldNamed(command.kind)]));
    case 'enable':
    case 'disable':
      await switchAccount(client, account, members, command.kind === 'disable');
      break;
    case 'resetLimits':
      await resetGatewayLimits(client, account);
      break;
    case 'delete':
      await deleteKept(client, account.listed.name, command.files.get(account.listed.name) ?? members, contents);
      break;
    case 'restore':
      await restoreFile(client, account.listed.name, command.files.get(account.listed.name) ?? '');
      break;
    case 'download':
      await saveAuthFile(client, account);
  }
  return { kind: 'done' };
}

/** Keeps its content in memory first, so that it can be put back. One that cannot be read is deleted all the same. */
async function deleteKept(
  client: Client,
  file: string,
  members: readonly Account[],
  contents: Map<string, string>,
): Promise<void> {
  const content = await downloadFile(client, file).catch(() => '');
  if (content !== '') contents.set(file, content);
  await deleteFile(client, file, members);
}

async function restoreFile(client: Client, file: string, content: string): Promise<void> {
  const listed = readAccounts(await listFiles(client));
  // A file of that name that came meanwhile is another one.
  if (membersOf(listed, file).length > 0)
    throw new ApiError('status', 'a file of this name exists', { path: '', atMs: Date.now(), status: 409 });
  await uploadFile(client, file, content);
}

async function saveAuthFile(client: Client, { listed: credential }: Account): Promise<void> {
  saveFile(credential.name, 'application/json', await downloadFile(client, credential.name));
}
