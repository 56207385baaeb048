import type { Account } from '../../../platform/accounts/account.ts';
import { isOf, type SignInProvider } from '../providers.ts';

/** What a sign-in changed in the list of accounts. */
export type Outcome =
  /** A file that was not there, or another content of one that was. */
  | {
      readonly kind: 'added' | 'replaced';
      readonly account: Account;
      /** Another account than the one that was to be signed in again. */
      readonly instead: boolean;
      /** The earlier file of the same account, which is still there: the name follows the plan. */
      readonly beside: Account | null;
    }
  /** Several accounts of the provider changed at once. */
  | { readonly kind: 'several'; readonly accounts: readonly Account[] }
  /** Accepted, but nothing in the list has changed. */
  | { readonly kind: 'unseen' }
  /** Accepted, but the list could not be read. */
  | { readonly kind: 'unread' };

/** Members that change while an account is only used. */
const USE_MEMBERS = new Set([
  'success',
  'failed',
  'recent_requests',
  'status',
  'status_message',
  'unavailable',
  'next_retry_after',
  'disabled',
]);

const nameOf = ({ listed }: Account): string => JSON.stringify([listed.name, listed.runtimeId, listed.authIndex]);

const contentOf = ({ entry }: Account): string =>
  JSON.stringify(Object.entries(entry).filter(([member]) => !USE_MEMBERS.has(member)));

/**
 * Compares the list before and after a sign-in; null = nothing of this provider has changed yet.
 *
 * @param expected key of the account that was to be signed in again; '' = any
 */
export function compareAccounts(
  before: readonly Account[],
  after: readonly Account[],
  provider: SignInProvider,
  expected: string,
): Outcome | null {
  const known = new Map(before.map((account) => [nameOf(account), account]));
  const ours = after.filter(({ listed }) => isOf(provider, listed.provider));
  const added = ours.filter((account) => !known.has(nameOf(account)));
  const changed = ours.filter((account) => {
    const old = known.get(nameOf(account));
    return old !== undefined && contentOf(old) !== contentOf(account);
  });
  const meant = before.find(({ key }) => key === expected);
  const again = meant && changed.find((account) => nameOf(account) === nameOf(meant));
  // Meanwhile the gateway may refresh tokens of other accounts: the one that was meant, or a new one, is the likelier result.
  if (again !== undefined) return { kind: 'replaced', account: again, instead: false, beside: null };
  const [first, ...others] = added.length > 0 ? added : changed;
  if (first === undefined) return null;
  if (others.length > 0) return { kind: 'several', accounts: [first, ...others] };
  // A file of another name may hold the same account.
  const same = meant !== undefined && meant.name === first.name;
  const earlier = same && added.length > 0 ? after.find((account) => nameOf(account) === nameOf(meant)) : undefined;
  return {
    kind: added.length > 0 ? 'added' : 'replaced',
    account: first,
    instead: meant !== undefined && !same,
    beside: earlier ?? null,
  };
}
