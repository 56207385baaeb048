import { accountFile, sharedFile } from './accounts/account-files.ts';
import type { AccountSpec, CodexAccountSpec, XaiAccountSpec } from './accounts/account-types.ts';
import type { AuthFileSpec } from './accounts/auth-file-spec.ts';
import { type AccountTrouble, authFilesOf, type EventAccount, makeAccounts } from './events/accounts.ts';

/** By position: a plan limit needs a Codex account, a free allowance one of xAI. */
const ACCOUNT_TROUBLES: ReadonlyMap<number, AccountTrouble> = new Map([
  [5, 'free-usage'],
  [7, 'usage-limit'],
  [9, 'unauthorized'],
]);

/** Twelve accounts of several providers: one refused with 401, one at its plan limit, one without free allowance. */
export function demoAccounts(): EventAccount[] {
  return makeAccounts(12, 7).map((account, index) => ({
    ...account,
    trouble: ACCOUNT_TROUBLES.get(index) ?? null,
    // Accounts with problems are still used, but rarely.
    weight: ACCOUNT_TROUBLES.has(index) ? 0.05 : account.weight,
  }));
}

/** Auth files of the accounts with traffic, and of some without, each with a finding for an inspection. */
export function demoAccountFiles(accounts: readonly EventAccount[], nowMs: number): AuthFileSpec[] {
  const busy = authFilesOf(accounts, nowMs).map((file, index) => {
    const account = accounts.find(({ fileName }) => fileName === file.name);
    const spec = account === undefined ? null : accountOf(account, index);
    return spec === null ? file : { ...file, account: spec };
  });
  return [...busy, ...idleAccountFiles()];
}

function accountOf({ provider, plan, trouble }: EventAccount, index: number): AccountSpec | null {
  // Each at another position in its windows.
  const primary = { usedPercent: 8 + ((index * 17) % 60), resetsInSeconds: 3600 + index * 900, percentPerHour: 6 };
  const secondary = {
    usedPercent: 12 + ((index * 11) % 50),
    resetsInSeconds: 86_400 * (1 + (index % 5)),
    percentPerHour: 0.5,
  };
  switch (provider) {
    case 'codex':
      return { provider, plan, primary, secondary, ...codexTrouble(trouble), ...SPARK };
    case 'xai':
      return { provider, weekly: secondary, ...xaiTrouble(trouble) };
    case 'claude':
      return { provider, plan, primary, secondary };
    case 'antigravity':
    case 'kimi':
      return { provider, primary, secondary };
    default:
      return null;
  }
}

const SPARK: Partial<CodexAccountSpec> = {
  additional: [{ name: 'GPT-5.3-Codex-Spark', feature: 'codex_spark', secondary: { usedPercent: 4 } }],
};
/** As long as the error responses of the traffic say. */
const FULL = { usedPercent: 100, resetsInSeconds: 7200 };

function codexTrouble(trouble: AccountTrouble | null): Partial<CodexAccountSpec> {
  if (trouble === 'unauthorized') return { state: 'revoked' };
  return trouble === 'usage-limit' ? { primary: FULL, secondary: FULL } : {};
}

function xaiTrouble(trouble: AccountTrouble | null): Partial<XaiAccountSpec> {
  return trouble === 'free-usage' ? { state: 'free-usage-exhausted' } : {};
}

function idleAccountFiles(): AuthFileSpec[] {
  const email = (name: string): string => `${name}@example.test`;
  return [
    // Disabled by an operator although it has quota: automation must not enable it.
    accountFile({
      provider: 'codex',
      email: email('orchard'),
      disabled: true,
      row: { note: 'switched off for the holidays' },
      account: { primary: { usedPercent: 0 }, secondary: { usedPercent: 31 } },
    }),
    accountFile({
      provider: 'codex',
      email: email('quarry'),
      plan: 'team',
      account: { state: 'deactivated-workspace' },
    }),
    // The five-hour window is full, the month is not.
    accountFile({
      provider: 'codex',
      email: email('reed'),
      plan: 'team',
      account: {
        primary: { usedPercent: 100, resetsInSeconds: 2400 },
        secondary: { usedPercent: 44 },
        resetCredits: 1,
      },
    }),
    accountFile({ provider: 'codex', email: email('thicket'), account: { state: 'unavailable' } }),
    accountFile({ provider: 'xai', email: email('upland'), account: { weekly: { usedPercent: 38 } } }),
    accountFile({ provider: 'xai', email: email('vale'), account: { state: 'not-entitled' } }),
    accountFile({
      provider: 'xai',
      email: email('wharf'),
      account: { endpoints: { weekly: 'forbidden', monthly: 'forbidden' } },
    }),
    ...sharedFile({ name: 'codex-family.json', provider: 'codex', children: 2, sourceRow: false }),
  ];
}
