import type { NewInspectionResult } from '@manager/core/accounts/inspection/result';
import { observationOfInspection } from '@manager/core/accounts/quota/inspection-evidence';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import { codeOf } from '../../../sqlite/worker/errors.ts';
import type { InspectionJournal, InspectionStore } from '../ports.ts';

/** Stores quota windows from inspections; repeating it changes nothing. */
export type WriteInspectionEvidence = (observations: readonly QuotaObservation[]) => Promise<void>;

export interface ResultKeeperDeps {
  readonly runKey: string;
  readonly store: Pick<InspectionStore, 'saveResults'>;
  readonly writeInspectionEvidence: WriteInspectionEvidence;
  readonly journal: InspectionJournal;
  readonly now: () => number;
}

/** The results of a run, stored in the background. */
export interface ResultKeeper {
  /** A result, or its new state after an action. */
  put(result: NewInspectionResult): void;
  /** In their current state. */
  results(): readonly NewInspectionResult[];
  /** Resolves when one attempt to store every result is over. */
  tried(): Promise<void>;
  /**
   * Retries failed writes within the time.
   *
   * @returns the number of accounts whose result or quota windows are still not stored
   */
  storeRest(budgetMs: number): Promise<number>;
}

interface Entry {
  result: NewInspectionResult;
  isStored: boolean;
  /** With its id, once stored. */
  stored: InspectionResult | null;
  /** Its quota windows still have to be stored. */
  evidenceDue: boolean;
}

/** One transaction must not delay others. */
const BATCH = 50;
const ROUNDS = 3;

export function createResultKeeper(deps: ResultKeeperDeps): ResultKeeper {
  const entries = new Map<string, Entry>();
  const waiting = new Set<Entry>();
  let storing: Promise<void> | null = null;

  function isLeft(entry: Entry): boolean {
    return !entry.isStored || entry.evidenceDue;
  }

  async function storeWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, BATCH);
      for (const entry of batch) waiting.delete(entry);
      await storeBatch(batch, true);
    }
    storing = null;
  }

  async function storeBatch(batch: readonly Entry[], again: boolean): Promise<void> {
    const changed = batch.filter((entry) => !entry.isStored);
    const written = changed.map(({ result }) => result);
    if (changed.length > 0) {
      try {
        const stored = await deps.store.saveResults(deps.runKey, written);
        for (const [index, entry] of changed.entries()) {
          entry.stored = stored[index] ?? null;
          // It may have changed meanwhile; then it waits again.
          entry.isStored = entry.stored !== null && entry.result === written[index];
        }
      } catch (error) {
        for (const entry of changed) report(entry, 'the result could not be stored', error, again);
      }
    }
    await storeEvidence(batch, again);
  }

  async function storeEvidence(batch: readonly Entry[], again: boolean): Promise<void> {
    const due = batch.flatMap((entry) => {
      if (entry.stored === null || !entry.evidenceDue) return [];
      const observation = observationOfInspection(entry.stored);
      if (observation === null) entry.evidenceDue = false;
      return observation === null ? [] : [{ entry, observation }];
    });
    if (due.length === 0) return;
    try {
      await deps.writeInspectionEvidence(due.map(({ observation }) => observation));
      for (const { entry } of due) entry.evidenceDue = false;
    } catch (error) {
      for (const { entry } of due) report(entry, 'the quota windows could not be stored', error, again);
    }
  }

  function report({ result }: Entry, what: string, error: unknown, retryScheduled: boolean): void {
    const { fileName, displayAccount } = result;
    const code = codeOf(error);
    const text = code === '' ? what : `${what} (${code})`;
    deps.journal.log('error', 'result_write_failed', { fileName, displayAccount, error: text, retryScheduled });
  }

  const tried = () => storing ?? Promise.resolve();

  return {
    put(result) {
      const entry = entries.get(result.accountKey) ?? { result, isStored: false, stored: null, evidenceDue: true };
      entry.result = result;
      entry.isStored = false;
      entries.set(result.accountKey, entry);
      waiting.add(entry);
      storing ??= storeWaiting();
    },
    results: () => Array.from(entries.values(), ({ result }) => result),
    tried,
    async storeRest(budgetMs) {
      const until = deps.now() + budgetMs;
      await tried();
      const left = () => [...entries.values()].filter(isLeft);
      for (let round = 1; round <= ROUNDS; round += 1) {
        // One by one: a result that can never be stored must not block the others.
        for (const entry of left()) {
          if (deps.now() >= until) return left().length;
          await storeBatch([entry], round < ROUNDS);
        }
      }
      return left().length;
    },
  };
}
