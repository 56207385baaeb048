import { type AccountFileOptions, type AccountSpec, type AuthFileSpec, accountFile } from '@manager/simulator';

const HOURS = 18_000;
const WEEK = 604_800;

/** An account with a plan and this used percent of its long window. */
export function usedUp(usedPercent: number): Partial<AccountSpec> {
  return {
    primary: { seconds: HOURS, usedPercent: 10 },
    secondary: { seconds: WEEK, usedPercent },
    limitReached: false,
  };
}

export const FULL = usedUp(100);
export const FRESH = usedUp(5);

/** A Codex account in a separate file. */
export function codexFile(
  stem: string,
  account: Partial<AccountSpec> = FULL,
  options: Partial<AccountFileOptions> = {},
): AuthFileSpec {
  return accountFile({
    provider: 'codex',
    name: `${stem}.json`,
    email: `${stem}@example.test`,
    account,
    ...options,
  });
}
