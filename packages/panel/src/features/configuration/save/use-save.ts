import { type Query, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inTurn } from '../../../platform/gateway/in-turn.ts';
import { toDraft } from '../draft.ts';
import type { Draft } from '../model/merge.ts';
import type { Side } from '../model/merge-lines.ts';
import { isCanceled } from '../patient-read.ts';
import { CONFIGURATION, type ConfigurationState, VERSIONS } from '../use-configuration.ts';
import { type Preparation, type PreparedSave, prepareSave, type SaveOutcome, sendSave } from './save.ts';

export type SaveResult =
  | Exclude<SaveOutcome, { kind: 'outdated' }>
  | Exclude<Preparation, { kind: 'ready' }>
  | { readonly kind: 'failed'; readonly error: unknown };

/** From the draft to the gateway: prepare, look, send, look again. */
export function useSave(state: ConfigurationState) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [prepared, setPrepared] = useState<(PreparedSave & { readonly draft: Draft }) | null>(null);
  const [sides, setSides] = useState<readonly Side[]>([]);
  const [outdated, setOutdated] = useState(false);
  const [result, setResult] = useState<SaveResult | null>(null);

  async function prepare(draft: Draft, chosen: readonly Side[]): Promise<void> {
    setBusy(true);
    setResult(null);
    try {
      const preparation = await prepareSave(state.deps, draft, chosen);
      if (preparation.kind === 'ready') {
        setPrepared({ ...preparation, draft });
        setSides(preparation.conflicts.map((_, index) => chosen[index] ?? 'mine'));
        return;
      }
      setPrepared(null);
      setResult(preparation);
      if (preparation.kind === 'unchanged') state.adopt(preparation.latest, 'seen');
    } catch (error) {
      if (isCanceled(error)) return;
      setPrepared(null);
      setResult({ kind: 'failed', error });
    } finally {
      setBusy(false);
    }
  }

  async function send(): Promise<void> {
    if (prepared === null) return;
    setBusy(true);
    try {
      // Another tab between the read and the write would be overwritten.
      const outcome = await inTurn('configuration', () => sendSave(state.deps, prepared));
      if (outcome.kind === 'outdated') {
        setOutdated(true);
        await prepare(prepared.draft, []);
        return;
      }
      setPrepared(null);
      setResult(outcome);
      if (outcome.kind === 'saved') state.adopt(outcome.text, 'saved');
      else if (outcome.kind === 'different') state.adopt(outcome.text, 'seen', prepared.text);
      else if (outcome.kind === 'unread') state.adopt(prepared.text, 'saved');
      if (outcome.kind === 'refused' || outcome.kind === 'not-saved') return;
      // Other pages show parts of the configuration.
      const others = ({ queryKey: [first] }: Query) =>
        first !== CONFIGURATION && first !== VERSIONS && first !== 'host';
      void queries.invalidateQueries({ predicate: others });
    } catch (error) {
      // Before anything was sent: the review stays.
      if (isCanceled(error)) return;
      setPrepared(null);
      setResult({ kind: 'failed', error });
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    prepared,
    sides,
    outdated,
    result,
    begin(draft = state.draft) {
      if (busy || draft === null) return;
      setOutdated(false);
      void prepare(toDraft(draft), []);
    },
    choose(index: number, side: Side) {
      if (prepared === null) return;
      const chosen = sides.map((before, at) => (at === index ? side : before));
      setSides(chosen);
      void prepare(prepared.draft, chosen);
    },
    send,
    cancel: () => setPrepared(null),
    dismiss: () => setResult(null),
  };
}

export type SaveState = ReturnType<typeof useSave>;
