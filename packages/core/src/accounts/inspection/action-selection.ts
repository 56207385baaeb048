import type { InspectionConfig } from '../../contract/inspection/config.ts';
import type {
  ExecutableAction,
  InspectionAction,
  InspectionResult,
  OutcomeStatus,
} from '../../contract/inspection/runs.ts';
import { type AccountIdentity, accountIdentity, isStableIdentity } from '../identity.ts';

/** Members of a result that a selection needs. */
export type SelectableResult = Pick<InspectionResult, 'accountKey' | 'fileName' | 'provider' | 'action'> &
  Partial<
    Pick<InspectionResult, 'authIndex' | 'accountId' | 'accountSnapshot' | 'autoRecoverEligible' | 'actionStatus'>
  >;

export interface ActionItem<Result> {
  readonly result: Result;
  readonly action: ExecutableAction;
}

/** A result that is not executed, and why. */
export interface ActionRefusal<Result> {
  readonly result: Result;
  readonly status: Exclude<OutcomeStatus, 'success'>;
  readonly reason: string;
}

/** A result with the action that counts for it. */
export interface ConsideredResult<Result> {
  readonly result: Result;
  readonly action: InspectionAction;
}

export interface ActionSelection<Result> {
  readonly execute: readonly ActionItem<Result>[];
  readonly outcomes: readonly ActionRefusal<Result>[];
  /** The results that a deletion of a whole file may rely on; see `validateActions`. */
  readonly considered: readonly ConsideredResult<Result>[];
}

export const REASONS = {
  duplicate: 'another result covers the same account or file',
  mixed: 'the results of this account or file suggest different actions',
  unstable: 'the account has no stable identity; handle it on the accounts page',
  reviewed: 'this result is marked for review; handle it on the accounts page',
  done: 'this action was already executed or skipped',
  nothingToDo: 'the result suggests no action',
  noFile: 'the result names no file',
} as const;

export type AutomaticSettings = Pick<InspectionConfig, 'autoActionMode' | 'autoRecoverEnabled'>;

/**
 * Selects the automatic actions after a run. An account is enabled only where an inspection disabled it, whatever the mode.
 *
 * @param results all results of the run, in order
 */
export function selectAutomaticActions<Result extends SelectableResult>(
  results: readonly Result[],
  settings: AutomaticSettings,
): ActionSelection<Result> {
  const considered = results.map((result) => ({ result, action: automaticAction(result.action, settings) }));
  const groups = groupResults(considered);
  const selection = openSelection<Result>(considered);
  for (const { result, action } of considered) {
    if (isExecutable(action) && runsByItself(result, action, settings)) {
      selection.add({ result, action }, groups.of(result));
    }
  }
  return selection.done();
}

function automaticAction(action: InspectionAction, { autoActionMode }: AutomaticSettings): InspectionAction {
  return action === 'delete' && autoActionMode === 'disable' ? 'disable' : action;
}

function runsByItself(result: SelectableResult, action: ExecutableAction, settings: AutomaticSettings): boolean {
  switch (action) {
    case 'enable':
      return settings.autoRecoverEnabled && result.autoRecoverEligible === true;
    case 'disable':
      return settings.autoActionMode === 'disable' || settings.autoActionMode === 'delete';
    case 'delete':
      return settings.autoActionMode === 'delete';
  }
}

/**
 * Selects the actions for the results that the operator chose. Groups are made of all results of the run: a selection
 * must not hide that a file holds other accounts.
 *
 * @param results all results of the run, in order
 * @param overrides a deletion instead of the suggestion
 */
export function selectManualActions<Result extends SelectableResult>(
  results: readonly Result[],
  selected: ReadonlySet<Result>,
  overrides: ReadonlyMap<Result, 'delete'> = new Map(),
): ActionSelection<Result> {
  const all = results.map((result) => ({ result, action: overrides.get(result) ?? result.action }));
  const chosen = all.filter(({ result }) => selected.has(result));
  const groups = groupResults(all);
  const selection = openSelection<Result>(chosen);
  for (const { result, action } of chosen) {
    if (!isExecutable(action)) selection.refuse(result, 'skipped', REASONS.nothingToDo);
    else if (result.actionStatus === 'success' || result.actionStatus === 'skipped') {
      selection.refuse(result, 'skipped', REASONS.done);
    } else if (result.actionStatus === 'needs_review') selection.refuse(result, 'needs_review', REASONS.reviewed);
    else if (result.fileName.trim() === '') selection.refuse(result, 'failed', REASONS.noFile);
    else selection.add({ result, action }, groups.of(result));
  }
  return selection.done();
}

export function isExecutable(action: InspectionAction): action is ExecutableAction {
  return action === 'delete' || action === 'disable' || action === 'enable';
}

interface Group {
  /** Its members ask for different actions. */
  readonly mixed: boolean;
}

/**
 * Results that one action changes together. A deletion removes a file with all its accounts, so one deletion makes the
 * whole file a group; otherwise each account is one.
 */
function groupResults<Result extends SelectableResult>(considered: readonly ConsideredResult<Result>[]) {
  const deletedFiles = new Set(
    considered.filter(({ action }) => action === 'delete').map(({ result }) => result.fileName),
  );
  const actions = new Map<string, Set<InspectionAction>>();
  const keyOf = (result: Result) =>
    deletedFiles.has(result.fileName) ? JSON.stringify([result.fileName]) : accountKey(result);
  for (const { result, action } of considered) {
    const key = keyOf(result);
    actions.set(key, (actions.get(key) ?? new Set()).add(action));
  }
  const groups = new Map<string, Group>([...actions].map(([key, asked]) => [key, { mixed: asked.size > 1 }]));
  return { of: (result: Result): Group => groups.get(keyOf(result)) ?? { mixed: false } };
}

function accountKey(result: SelectableResult): string {
  const identity = identityOfResult(result);
  const part = identity.authIndex
    ? ['index', identity.authIndex]
    : identity.accountId
      ? ['account', identity.accountId]
      : identity.accountSnapshot
        ? ['snapshot', identity.accountSnapshot]
        : ['key', result.accountKey];
  return JSON.stringify([result.fileName, identity.provider, ...part]);
}

/** The identity that a result recorded. */
export function identityOfResult(result: SelectableResult): AccountIdentity {
  return accountIdentity({
    authFileName: result.fileName,
    provider: result.provider,
    authIndex: result.authIndex ?? '',
    accountId: result.accountId ?? '',
    accountSnapshot: result.accountSnapshot ?? '',
  });
}

function openSelection<Result extends SelectableResult>(considered: readonly ConsideredResult<Result>[]) {
  const execute: ActionItem<Result>[] = [];
  const outcomes: ActionRefusal<Result>[] = [];
  const taken = new Set<Group>();
  const refuse = (result: Result, status: ActionRefusal<Result>['status'], reason: string) => {
    outcomes.push({ result, status, reason });
  };
  return {
    refuse,
    add(item: ActionItem<Result>, group: Group) {
      if (!isStableIdentity(identityOfResult(item.result))) refuse(item.result, 'needs_review', REASONS.unstable);
      else if (group.mixed) refuse(item.result, 'needs_review', REASONS.mixed);
      else if (taken.has(group)) refuse(item.result, 'skipped', REASONS.duplicate);
      else {
        taken.add(group);
        execute.push(item);
      }
    },
    done: (): ActionSelection<Result> => ({ execute, outcomes, considered }),
  };
}
