import type { ConfigResponse } from '@manager/core/contract/settings/config';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../platform/api/errors.ts';
import { useServices } from '../../platform/api/services.ts';
import { useConfig, useStatus } from '../../platform/queries/queries.ts';
import { beginsDeleting, type InspectionForm, inspectionProblem } from './inspection-form.ts';
import {
  collectorProblem,
  connectionChanges,
  dirtyTabs,
  formOf,
  type SettingsForm,
  toConfigRequest,
} from './settings-form.ts';

/** What to confirm before the save. */
export type Question = 'connection' | 'delete' | 'try-again';

const NOTHING_ASKED: readonly Question[] = [];

/**
 * The form of all tabs that the manager stores. It outlives a change of tab, and a failed save. `onConnected` = another
 * connection was saved. While the gateway refuses the saved key, an unchanged form can be saved too: that tries the key again.
 */
export function useSettingsForm(onConnected: () => void) {
  const { manager } = useServices();
  const queries = useQueryClient();
  const config = useConfig();
  const refused = useStatus().data?.collector.keyRefused;
  const [state, setState] = useState<{ readonly form: SettingsForm; readonly saved: SettingsForm } | null>(() =>
    config.data === undefined ? null : loaded(config.data),
  );
  const [questions, setQuestions] = useState(NOTHING_ASKED);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  if (state === null && config.data !== undefined) setState(loaded(config.data));

  const form = state?.form ?? null;
  const saved = state?.saved ?? null;
  const dirty = form === null || saved === null ? [] : dirtyTabs(form, saved);
  const retention = config.data?.cpaUsage?.redisUsageQueueRetentionSeconds;
  const problem =
    form === null || saved === null
      ? null
      : (inspectionProblem(form.inspection) ?? collectorProblem(form, saved, retention));
  const triesAgain = form !== null && dirty.length === 0 && refused !== undefined;
  const ready = (dirty.length > 0 || triesAgain) && !busy && problem === null;

  const edit = (change: Partial<SettingsForm>) => {
    setState((before) => before && { ...before, form: { ...before.form, ...change } });
    setDone(false);
  };

  async function save(): Promise<void> {
    if (form === null || saved === null) return;
    setBusy(true);
    setFailure(null);
    try {
      const current = await manager.config();
      const answer = await manager.saveConfig(toConfigRequest(form, saved, current));
      // The server may have changed values; the form shows what is stored.
      setState(loaded(answer));
      setDone(true);
      if (connectionChanges(form, saved)) {
        // Loaded data came from another gateway; who serves this page stays the same.
        const ofGateway = { predicate: ({ queryKey }: Query) => queryKey[0] !== 'host' };
        await queries.cancelQueries(ofGateway);
        onConnected();
        await queries.resetQueries(ofGateway);
      } else await queries.invalidateQueries();
    } catch (error) {
      setFailure(error);
      if (error instanceof ApiError && error.code === 'connection_env_managed') await config.refetch();
    } finally {
      setBusy(false);
    }
  }

  function goOn(asked: readonly Question[]): void {
    setQuestions(asked);
    if (asked.length === 0) void save();
  }

  return {
    config,
    form,
    dirty,
    problem,
    ready,
    /** A save changes nothing, but tries the refused key again. */
    triesAgain,
    refused,
    busy,
    done,
    failure,
    edit,
    editInspection: (change: Partial<InspectionForm>) => {
      if (form !== null) edit({ inspection: { ...form.inspection, ...change } });
    },
    discard: () => {
      setState((before) => before && { ...before, form: before.saved });
      setFailure(null);
    },
    submit: () => {
      if (form === null || saved === null || !ready || questions.length > 0) return;
      goOn([
        ...(connectionChanges(form, saved) ? (['connection'] as const) : []),
        ...(beginsDeleting(form.inspection, saved.inspection) ? (['delete'] as const) : []),
        ...(triesAgain ? (['try-again'] as const) : []),
      ]);
    },
    /** The open confirmation. */
    asked: questions[0] ?? null,
    confirm: () => goOn(questions.slice(1)),
    /** Only the open confirmation can be closed; the next one may be open already. */
    withdraw: (question: Question) => setQuestions((now) => (now[0] === question ? NOTHING_ASKED : now)),
  };
}

function loaded(config: ConfigResponse) {
  const form = formOf(config);
  return { form, saved: form };
}

export type SettingsFormState = ReturnType<typeof useSettingsForm>;
