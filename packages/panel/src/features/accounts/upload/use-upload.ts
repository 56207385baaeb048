import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Account, readAccounts } from '../../../platform/accounts/account.ts';
import { ACCOUNTS_KEY, listFiles, uploadFile } from '../../../platform/accounts/account-calls.ts';
import { useServices } from '../../../platform/api/services.ts';
import { inTurn } from '../../../platform/gateway/in-turn.ts';
import { type Draft, MAX_SOURCE_BYTES, readSource } from './read-source.ts';
import { isReady, type PlannedUpload, planUploads } from './upload-plan.ts';
import { runUploads, type UploadEnding } from './upload-run.ts';

export interface Upload {
  readonly items: readonly PlannedUpload[];
  readonly endings: ReadonlyMap<string, UploadEnding>;
  readonly running: boolean;
  /** The list could not be read, so nothing was sent. */
  readonly error: unknown;
  /** Sent by the next run: ready, and not accepted yet. */
  readonly waiting: readonly PlannedUpload[];
  readonly addFiles: (files: readonly File[]) => Promise<void>;
  readonly addText: (text: string) => void;
  readonly remove: (key: string) => void;
  readonly replace: (key: string, replaces: boolean) => void;
  readonly run: () => Promise<void>;
  readonly stop: () => void;
}

type Keyed = Draft & { readonly key: string };

/** What was confirmed stays so. */
function planAgain(drafts: readonly Keyed[], before: readonly PlannedUpload[], listed: readonly Account[]) {
  const confirmed = new Set(before.filter(({ replaces }) => replaces).map(({ key }) => key));
  return planUploads(drafts, listed).map((upload) =>
    confirmed.has(upload.key) ? { ...upload, replaces: true } : upload,
  );
}

/** Auth files to send, and what became of each. `listed` = all accounts on screen. */
export function useUpload(listed: readonly Account[]): Upload {
  const { client } = useServices();
  const queries = useQueryClient();
  const [items, setItems] = useState<readonly PlannedUpload[]>([]);
  const [endings, setEndings] = useState<ReadonlyMap<string, UploadEnding>>(new Map());
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const stopped = useRef(false);
  const next = useRef(0);
  // A closed dialog sends nothing more.
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );

  const keyed = (drafts: readonly Draft[]): readonly Keyed[] =>
    drafts.map((draft) => ({ ...draft, key: String(next.current++) }));
  const add = (drafts: readonly Draft[]) => {
    const added = keyed(drafts);
    setItems((before) => planAgain([...before, ...added], before, listed));
  };
  const waiting = items.filter((upload) => {
    const ending = endings.get(upload.key)?.kind;
    return isReady(upload) && ending !== 'done' && ending !== 'missing';
  });

  const remove = useCallback(
    (key: string) =>
      setItems((before) =>
        planAgain(
          before.filter((upload) => upload.key !== key),
          before,
          listed,
        ),
      ),
    [listed],
  );
  const replace = useCallback(
    (key: string, replaces: boolean) =>
      setItems((before) => before.map((upload) => (upload.key === key ? { ...upload, replaces } : upload))),
    [],
  );

  async function addFiles(files: readonly File[]): Promise<void> {
    const drafts = await Promise.all(
      files.map(async (file): Promise<readonly Draft[]> => {
        if (file.size <= MAX_SOURCE_BYTES) return readSource(file.name, await file.text());
        return [{ name: file.name, content: '', type: '', account: '', fromSession: false, problem: 'tooLarge' }];
      }),
    );
    add(drafts.flat());
  }

  async function run(): Promise<void> {
    stopped.current = false;
    setRunning(true);
    setError(null);
    const set = (key: string, ending: UploadEnding) => setEndings((before) => new Map(before).set(key, ending));
    for (const { key } of waiting) set(key, { kind: 'queued' });
    try {
      // Another tab may be about to send a file of the same name.
      const fresh = await inTurn('auth-files', () =>
        runUploads(waiting, {
          list: async () => readAccounts(await listFiles(client)),
          send: (name, content) => uploadFile(client, name, content),
          wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
          isStopped: () => stopped.current,
          onEnding: set,
        }),
      );
      setItems((before) => before.map((upload) => fresh.find(({ key }) => key === upload.key) ?? upload));
    } catch (failure) {
      setError(failure);
    }
    // Those that were not sent.
    setEndings((before) => new Map([...before].filter(([, { kind }]) => kind !== 'queued')));
    setRunning(false);
    await queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'files'] });
  }

  return {
    items,
    endings,
    running,
    error,
    waiting,
    addFiles,
    addText: (text) => add(readSource('', text)),
    remove,
    replace,
    run,
    stop: () => {
      stopped.current = true;
    },
  };
}
