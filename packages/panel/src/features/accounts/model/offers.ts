import type { AccountRow } from '../../../platform/accounts/rows.ts';

/** Solutions for the state of an account, the most likely first. */
export type Offer = 'signIn' | 'failures' | 'queue' | 'refresh' | 'quota' | 'config' | 'resetLimits' | 'switch';

/** @param canAskQuota its provider answers quota requests */
export function offersOf(
  { account, availability, candidates, recent }: AccountRow,
  canAskQuota: boolean,
): readonly Offer[] {
  const { authIndex } = account.listed;
  const possible: Readonly<Record<Offer, boolean>> = {
    signIn: true,
    // Only a manager lists requests.
    failures: authIndex !== '' && recent === null,
    queue: candidates.length > 0,
    refresh: canAskQuota,
    quota: true,
    // An expired token can be refreshed there.
    config: !account.runtimeOnly,
    // A cooldown by the manager is not the gateway's own limit.
    resetLimits: authIndex !== '' && availability.by !== 'manager',
    switch: account.switchScope !== null,
  };
  return BY_STATE[availability.state].filter((offer) => possible[offer]);
}

const BY_STATE: Readonly<Record<AccountRow['availability']['state'], readonly Offer[]>> = {
  signIn: ['signIn', 'failures', 'queue', 'refresh', 'config', 'switch'],
  deactivated: ['queue', 'failures', 'refresh', 'switch'],
  cooldown: ['resetLimits', 'failures', 'quota'],
  spent: ['refresh', 'quota', 'failures'],
  failing: ['failures', 'refresh', 'resetLimits', 'queue', 'switch'],
  low: ['refresh', 'quota'],
  available: [],
  unconfirmed: ['refresh'],
  disabled: ['switch', 'queue', 'refresh'],
};
