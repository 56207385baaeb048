import type { Database } from 'bun:sqlite';
import { type ObservationOutcome, observe, type RowPlacement } from '@manager/core/accounts/quota/lifecycle';
import type { QuotaState, WindowState } from '@manager/core/accounts/quota/lifecycle-state';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import { readCounter, setCounter } from '../../../events/ingest/counters.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import {
  caughtUp,
  endsOf,
  isRunSource,
  newestRun,
  type Run,
  type Runs,
  type RunWindow,
  repetition,
  runObservationHash,
  withNewRun,
  withoutRepeats,
} from '../runs.ts';
import { endRange, isSamePercent, isWithin, splitWindow, type WindowMembers } from '../window-members.ts';
import { type AccountName, addAccount, findAccount, readState, writeRuns, writeState } from './accounts.ts';
import { addObservation, findObservation, observationHash } from './observations.ts';
import {
  dismissRow,
  dismissRowsOf,
  extendRow,
  insertRow,
  type KnownRow,
  type RowOrigin,
  rewriteRow,
  rowOfEventAt,
  shapeNumber,
} from './snapshot-rows.ts';

/**
 * Stores observations of one transaction. Each account is read once and written once, by `flush`, and its state only when an
 * observation differs from the account's runs.
 */
export interface ObservationWriter {
  /** Of an event, which is never sent twice. */
  fromEvent(observation: QuotaObservation): void;
  /**
   * From a client, which may send it again.
   *
   * @returns the number of stored rows, 0 for a known observation
   */
  fromClient(observation: QuotaObservation): number;
  flush(): void;
}

interface Account extends AccountName {
  readonly number: number;
  runs: Runs | null;
  /** Without repeats that the runs only count; null = not read. */
  state: QuotaState | null;
  runsChanged: boolean;
  stateChanged: boolean;
}

/**
 * Each refused request reports an exhausted allowance with other values (used amount, end of the day); one row per hour holds
 * the newest ones.
 */
const REWRITTEN_FOR_MS = 3_600_000;

export function createObservationWriter(db: Database): ObservationWriter {
  const accounts = new Map<string, Account>();
  const shapes = new Map<string, number>();
  const digests = new Map<string, string>();
  let lastId: number | null = null;

  const newId = (): string => {
    lastId = (lastId ?? readCounter(db, 'quota_ids')) + 1;
    return String(lastId);
  };

  function accountOf({ accountKey, provider }: AccountName): Account {
    const name = `${provider}\n${accountKey}`;
    const known = accounts.get(name);
    if (known !== undefined) return known;
    const named = { accountKey, provider };
    const stored = findAccount(db, named) ?? { number: addAccount(db, named), runs: null };
    const account: Account = { ...named, ...stored, state: null, runsChanged: false, stateChanged: false };
    accounts.set(name, account);
    return account;
  }

  function stateOf(account: Account): QuotaState {
    account.state ??= readState(db, account.number);
    return caughtUp(account.state, account.runs);
  }

  function shapeNumberOf(shape: string): number {
    const known = shapes.get(shape) ?? shapeNumber(db, shape);
    shapes.set(shape, known);
    return known;
  }

  function digestOf(inventoryScope: string, members: readonly WindowMembers[]): string {
    const text = JSON.stringify([inventoryScope, ...members.flatMap(({ shape, rareMembers }) => [shape, rareMembers])]);
    const known = digests.get(text) ?? sha256Hex(text).slice(0, 32);
    digests.set(text, known);
    return known;
  }

  function fromEvent(observation: QuotaObservation): void {
    const { source, inventoryScope, observedAtMs: atMs, observationId: id, inventoryMode, removed } = observation;
    if (!isRunSource(source, inventoryMode) || removed.length > 0) {
      fromClient(observation);
      return;
    }
    const account = accountOf(observation);
    const windows = observation.windows.map(splitWindow);
    const content = digestOf(inventoryScope, windows);
    const answer = repetition(account.runs, { content, source, inventoryScope, atMs, id, windows });
    if (answer === 'known') return;
    if (answer !== 'new') {
      account.runs = answer;
      account.runsChanged = true;
      return;
    }
    const percents = windows.map(({ usedPercent }) => usedPercent);
    const last = { atMs, id, percents };
    const state = stateOf(account);
    const outcome = observe(state, observation, { hash: runObservationHash(content, last), newId });
    if (outcome.state !== state) accept(account, outcome);
    const windowStates = new Map(outcome.state.windows.map((window) => [window.id, window]));
    const placed = outcome.rows.map((placement, index) => {
      const members = windows[index];
      return members === undefined ? null : storeOfEvent(placement, members, observation, windowStates);
    });
    if (outcome.state === state) return;
    const run: Run = { content, sinceMs: atMs, last, previous: null, times: 0, windows: placed };
    account.runs = withNewRun(account.runs, run, observation);
  }

  /** State and rows are brought up to date before they change. */
  function accept(account: Account, { state, displacedHash }: ObservationOutcome): void {
    const known = account.runs;
    for (const run of known?.runs ?? []) {
      if (run.times > 0) extendRows(run, run.last);
    }
    account.state = state;
    account.stateChanged = true;
    account.runs = known === null ? null : withoutRepeats(known);
    account.runsChanged = true;
    if (displacedHash !== null) displace(account, displacedHash);
  }

  function extendRows(run: Run, { atMs, id, percents }: Run['last']): void {
    for (const [index, window] of run.windows.entries()) {
      if (window !== null) extendRow(db, window.row, { atMs, id, usedPercent: percents[index] ?? null });
    }
  }

  /** The newest observation of an inventory no longer counts: another one of the same time has a higher rank. */
  function displace(account: Account, hash: string): void {
    const newest = account.runs === null ? null : newestRun(account.runs);
    if (account.runs === null || newest === null || runObservationHash(newest.content, newest.last) !== hash) {
      const observation = findObservation(db, account.number, hash);
      if (observation !== null) dismissRowsOf(db, observation);
      return;
    }
    if (newest.previous !== null) extendRows(newest, newest.previous);
    else {
      for (const window of newest.windows) {
        if (window === null) continue;
        if (window.before === null) dismissRow(db, window.row);
        else rewriteRow(db, window.row, window.before);
      }
    }
    account.runs = { ...account.runs, runs: account.runs.runs.filter((run) => run !== newest) };
  }

  /** Null when the window belongs to another inventory or the row is history. */
  function storeOfEvent(
    { window, logicalWindowId: windowId, cycleId, inLifecycle }: RowPlacement,
    members: WindowMembers,
    { source, observedAtMs: atMs, observationId: id }: QuotaObservation,
    windowStates: ReadonlyMap<string, WindowState>,
  ): RunWindow | null {
    // No answer can ever need it.
    if (windowId === null) return null;
    const number = shapeNumberOf(members.shape);
    const isDerived = window.boundary_accuracy === 'derived';
    const isRepeated = (row: KnownRow): boolean =>
      row.shapeNumber === number && (hasSameValues(row, members, isDerived) || isRewritten(row, source, atMs));
    const insert = () =>
      insertRow(db, {
        windowId,
        cycleId,
        inLifecycle,
        source,
        atMs,
        origin: { event: id },
        members: { ...members, shapeNumber: number },
      });
    const known = rowOfEventAt(db, windowId, { source, inLifecycle: true, atMs });
    if (!inLifecycle) {
      const late =
        known !== null && isRepeated(known) ? known : rowOfEventAt(db, windowId, { source, inLifecycle: false, atMs });
      if (late === null || !isRepeated(late)) insert();
      return null;
    }
    const end = { atMs, id, ...members };
    const windowState = windowStates.get(windowId) ?? null;
    if (known === null || !isRepeated(known) || known.cycleId !== cycleId || isFalling(known, members)) {
      return { id: windowId, row: insert(), ends: endsOf(window, members.endMs, windowState), before: null };
    }
    const isSame = hasSameValues(known, members, isDerived);
    if (isSame) extendRow(db, known.row, end);
    else rewriteRow(db, known.row, end);
    const { usedPercent, startMs, endMs, rareMembers } = known;
    const before = { atMs: known.atMs, id: known.id, usedPercent, startMs, endMs, rareMembers };
    const ends = endsOf(window, isSame ? known.endMs : members.endMs, windowState);
    return { id: windowId, row: known.row, ends, before };
  }

  function fromClient(observation: QuotaObservation): number {
    const account = accountOf(observation);
    const hash = observationHash(observation);
    if (findObservation(db, account.number, hash) !== null) return 0;
    const state = stateOf(account);
    const outcome = observe(state, observation, { hash, newId });
    if (outcome.state !== state) {
      accept(account, outcome);
      // The newest observation of the inventory is not part of a run.
      if (account.runs?.inventoryScope === observation.inventoryScope) account.runs = null;
    }
    if (outcome.rows.length === 0) return 0;
    const origin: RowOrigin = { observation: addObservation(db, account.number, hash, observation) };
    for (const { window, logicalWindowId: windowId, cycleId, inLifecycle } of outcome.rows) {
      const { shape, ...members } = splitWindow(window);
      const { source, observedAtMs: atMs } = observation;
      insertRow(db, {
        windowId,
        cycleId,
        inLifecycle,
        source,
        atMs,
        origin,
        members: { ...members, shapeNumber: shapeNumberOf(shape) },
      });
    }
    return outcome.rows.length;
  }

  return {
    fromEvent,
    fromClient,
    flush() {
      for (const account of accounts.values()) {
        if (account.runsChanged) writeRuns(db, account, account.runs);
        if (account.stateChanged && account.state !== null) writeState(db, account.number, account.state);
      }
      accounts.clear();
      if (lastId !== null) setCounter(db, 'quota_ids', lastId);
    },
  };
}

type RowValues = Pick<WindowMembers, 'usedPercent' | 'endMs' | 'rareMembers'>;

function hasSameValues(row: KnownRow, { usedPercent, endMs, rareMembers }: RowValues, isDerived: boolean): boolean {
  if (row.rareMembers !== rareMembers || !isSamePercent(row.usedPercent, usedPercent)) return false;
  return isWithin(endRange(row.endMs, isDerived), endMs);
}

function isRewritten(row: KnownRow, source: QuotaObservation['source'], atMs: number): boolean {
  return source === 'response_body' && atMs - row.sinceMs < REWRITTEN_FOR_MS;
}

function isFalling(row: KnownRow, { usedPercent }: RowValues): boolean {
  return (usedPercent ?? 0) < (row.usedPercent ?? 0);
}
