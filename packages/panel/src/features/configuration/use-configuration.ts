import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useManaged, useServices } from '../../platform/api/services.ts';
import { useConfig } from '../../platform/queries/queries.ts';
import { type ConfigurationCalls, configurationCalls } from './configuration-calls.ts';
import { type DraftState, freshDraft, isDirty } from './draft.ts';
import type { Summarized } from './model/summary.ts';
import { readPatiently, type Wait } from './patient-read.ts';
import type { SaveDeps } from './save/save.ts';
import ConfigurationThread from './worker/configuration-worker.ts?worker&inline';
import { createThread, type Thread } from './worker/thread.ts';

export const CONFIGURATION = 'configuration';
export const VERSIONS = 'configuration-versions';

export interface ConfigurationState {
  readonly calls: ConfigurationCalls;
  readonly thread: Thread;
  readonly query: ReturnType<typeof useConfigurationText>;
  /** Reads of the gateway that take long, the oldest first. */
  readonly waits: readonly Wait[];
  readonly deps: SaveDeps;
  /** null until the text was read. */
  readonly draft: DraftState | null;
  readonly setDraft: (change: (before: DraftState) => DraftState) => void;
  /** The draft's text and the gateway's, as the visual mode shows them; null while they are read. */
  readonly summary: Summarized | null;
  readonly before: Summarized | null;
  readonly dirty: boolean;
  /** The gateway has another text than the one that the draft began with. */
  readonly changedElsewhere: boolean;
  /** This version is not in the history. */
  readonly notKept: boolean;
  /** Takes a text of the gateway as the new start; the draft is gone. `sent`: what was saved, and is there no longer. */
  readonly adopt: (text: string, origin: 'seen' | 'saved', sent?: string) => void;
  /** A text to save in place of the gateway's. */
  readonly propose: (text: string) => void;
}

function useConfigurationText(read: ConfigurationCalls['read']) {
  return useQuery({
    queryKey: [CONFIGURATION],
    queryFn: ({ signal }) => read(signal),
    staleTime: 0,
    // Secrets stay in memory no longer than the page.
    gcTime: 0,
  });
}

/** The gateway's configuration, what a person made of it, and the worker that reads both. */
export function useConfiguration(): ConfigurationState {
  const { client } = useServices();
  const queries = useQueryClient();
  const managed = useManaged();
  const config = useConfig().data;
  const calls = useMemo(() => configurationCalls(client), [client]);
  const [thread] = useState(() => createThread(() => new ConfigurationThread()));
  useEffect(() => thread.close, [thread]);
  const { read, waits } = usePatientRead(calls);
  const query = useConfigurationText(read);
  const [draft, setState] = useState<DraftState | null>(null);
  const [notKept, setNotKept] = useState(false);
  const dirty = draft !== null && isDirty(draft);

  const keep = useCallback(
    async (text: string, origin: 'seen' | 'saved') => {
      if (!managed || text === '') return;
      try {
        await calls.keep(text, origin);
        setNotKept(false);
        await queries.invalidateQueries({ queryKey: [VERSIONS] });
      } catch {
        setNotKept(true);
      }
    },
    [calls, managed, queries],
  );

  const text = query.data;
  const kept = useRef<string | null>(null);
  useEffect(() => {
    if (text === undefined || kept.current === text) return;
    kept.current = text;
    void keep(text, 'seen');
  }, [text, keep]);
  // A draft without a change follows the gateway.
  if (text !== undefined && (draft === null || (!dirty && draft.base !== text))) setState(freshDraft(text));

  const adopt = (saved: string, origin: 'seen' | 'saved', sent?: string) => {
    kept.current = saved;
    queries.setQueryData([CONFIGURATION], saved);
    setState(freshDraft(saved));
    void (sent === undefined ? keep(saved, origin) : keep(sent, 'saved').then(() => keep(saved, origin)));
  };
  const pollSeconds = config === undefined ? null : config.config.collector.pollIntervalMs / 1000;
  return {
    calls,
    thread,
    query,
    waits,
    deps: {
      read,
      write: calls.write,
      thread,
      pollSeconds: () => pollSeconds,
    },
    draft,
    setDraft: (change) => setState((before) => before && change(before)),
    summary: useSummary(thread, draft?.text),
    before: useSummary(thread, draft?.base),
    dirty,
    changedElsewhere: dirty && text !== undefined && draft !== null && draft.base !== text,
    notKept,
    adopt,
    propose: (proposed) => setState((before) => before && { ...freshDraft(text ?? before.base), text: proposed }),
  };
}

function usePatientRead(calls: ConfigurationCalls) {
  const [waits, setWaits] = useState<readonly Wait[]>([]);
  const read = useCallback(
    (signal?: AbortSignal) =>
      readPatiently(
        {
          read: calls.read,
          onWait: (wait) => setWaits((before) => [...before, wait]),
          onEnd: (wait) =>
            setWaits((before) => (before.includes(wait) ? before.filter((one) => one !== wait) : before)),
          after(ms, then) {
            const timer = setTimeout(then, ms);
            return () => clearTimeout(timer);
          },
        },
        signal,
      ),
    [calls],
  );
  return { read, waits };
}

/** What the worker makes of a text; the last one stays until the next is read. */
function useSummary(thread: Thread, text: string | undefined): Summarized | null {
  const [summary, setSummary] = useState<Summarized | null>(null);
  const newest = useRef(text);
  const reading = useRef(false);
  useEffect(() => {
    newest.current = text;
    // One at a time: while a long text is read, only the newest of those that follow matters.
    if (text === undefined || reading.current) return;
    const read = async (of: string): Promise<void> => {
      const found = await thread.summarize(of).catch(failedRead);
      if (newest.current === of) setSummary(found);
      else if (newest.current !== undefined) await read(newest.current);
    };
    reading.current = true;
    void read(text).finally(() => {
      reading.current = false;
    });
  }, [thread, text]);
  return summary;
}

/** The worker failed: the text can be edited, and saving asks it again. */
function failedRead(error: Error): Summarized {
  return { ok: false, problems: [{ kind: 'syntax', line: 1, column: 1, message: error.message }] };
}
