import { matchesAccountRecord } from '../identity.ts';
import type { ListedAccount } from '../listed-account.ts';
import { isSourceRow, matchOneToOne, scopeWithin } from '../status-scope.ts';
import {
  type ActionItem,
  type ActionRefusal,
  type ConsideredResult,
  identityOfResult,
  REASONS,
  type SelectableResult,
} from './action-selection.ts';

/** An action that may be executed on the live list. */
export interface ValidAction<Result> {
  readonly item: ActionItem<Result>;
  readonly listed: ListedAccount;
  /**
   * `credential`: one account. `file-plan`: every account of the file is switched the same way, in one request. `file`:
   * the physical file is deleted.
   */
  readonly target: 'credential' | 'file-plan' | 'file';
  /** The accounts that change: one, or all of its file. */
  readonly members: readonly ListedAccount[];
  /** The items of the batch that this action executes; the others are answered as skipped. */
  readonly covers: readonly ActionItem<Result>[];
}

export type ActionVerdict<Result> =
  | ({ readonly verdict: 'execute' } & ValidAction<Result>)
  | ({
      readonly verdict: 'refuse';
      /** The action whose result already exists; null when it is refused for another reason. */
      readonly inPlace: ValidAction<Result> | null;
    } & ActionRefusal<Result>);

const WORDS = {
  notFound: 'the account no longer exists or cannot be identified',
  shared: 'the account shares its file with accounts that are not part of this action',
  uncovered: 'the file holds accounts that this deletion does not cover',
  disabled: 'the account is already disabled',
  enabled: 'the account is already enabled',
} as const;

/**
 * Checks a batch against the live list, in the order of the items. Deleting or switching a shared file needs every one of its
 * accounts in the batch: a sample that missed one must block the rest.
 *
 * @param considered of the selection the items come from
 */
export function validateActions<Result extends SelectableResult>(
  items: readonly ActionItem<Result>[],
  considered: readonly ConsideredResult<Result>[],
  live: readonly ListedAccount[],
): ActionVerdict<Result>[] {
  const plans = new Map<string, FilePlan<Result> | null>();
  const planOf = (fileName: string) => {
    const known = plans.get(fileName);
    if (known !== undefined) return known;
    const plan = filePlan(items, fileName, membersOf(live, fileName));
    plans.set(fileName, plan);
    return plan;
  };

  return items.map((item) => {
    const { result, action } = item;
    const refuse = (
      status: ActionRefusal<Result>['status'],
      reason: string,
      inPlace: ValidAction<Result> | null = null,
    ): ActionVerdict<Result> => ({ verdict: 'refuse', result, status, reason, inPlace });
    const matching = live.filter((account) => matches(account, result));
    const [account] = matching;
    if (account === undefined || matching.length > 1) return refuse('failed', WORDS.notFound);
    const members = membersOf(live, account.name);

    if (action === 'delete') {
      if (!coversFile(considered, members, account.name)) return refuse('needs_review', WORDS.uncovered);
      const covers = items.filter((other) => other.result.fileName === result.fileName);
      return { verdict: 'execute', item, listed: account, target: 'file', members, covers };
    }

    const plan = planOf(account.name);
    if (plan !== null && plan.canonical !== item) return refuse('skipped', REASONS.duplicate);
    if (plan === null && scopeWithin(account, members) !== 'credential') {
      return refuse('needs_review', WORDS.shared);
    }
    const reached = plan === null ? [account] : members;
    const target = plan === null ? 'credential' : 'file-plan';
    const valid: ValidAction<Result> = {
      item,
      listed: account,
      target,
      members: reached,
      covers: plan?.items ?? [item],
    };
    const wanted = action === 'disable';
    if (reached.every(({ disabled }) => disabled === wanted)) {
      return refuse('skipped', wanted ? WORDS.disabled : WORDS.enabled, valid);
    }
    return { verdict: 'execute', ...valid };
  });
}

interface FilePlan<Result> {
  /** The item that is executed for all. */
  readonly canonical: ActionItem<Result>;
  readonly items: readonly ActionItem<Result>[];
}

/** The batch switches every account of a shared file the same way. */
function filePlan<Result extends SelectableResult>(
  items: readonly ActionItem<Result>[],
  fileName: string,
  members: readonly ListedAccount[],
): FilePlan<Result> | null {
  const ofFile = items.filter((item) => item.result.fileName === fileName);
  const [first] = ofFile;
  if (members.length < 2 || first === undefined || first.action === 'delete') return null;
  if (ofFile.some(({ action }) => action !== first.action)) return null;
  const ids = new Set(members.map(({ runtimeId }) => runtimeId));
  if (ids.has('') || ids.size !== members.length) return null;
  if (!matchOneToOne(members, ofFile, (account, { result }) => matches(account, result))) return null;
  const source = members.find(isSourceRow);
  const canonical = source && ofFile.find(({ result }) => matches(source, result));
  return { canonical: canonical ?? first, items: ofFile };
}

function coversFile<Result extends SelectableResult>(
  considered: readonly ConsideredResult<Result>[],
  members: readonly ListedAccount[],
  fileName: string,
): boolean {
  const ofFile = considered.filter(({ result }) => result.fileName === fileName);
  if (ofFile.some(({ action }) => action !== 'delete')) return false;
  return matchOneToOne(members, ofFile, (account, { result }) => matches(account, result));
}

function membersOf(live: readonly ListedAccount[], fileName: string): readonly ListedAccount[] {
  return live.filter(({ name }) => name === fileName);
}

function matches(account: ListedAccount, result: SelectableResult): boolean {
  return matchesAccountRecord(account, identityOfResult(result));
}
