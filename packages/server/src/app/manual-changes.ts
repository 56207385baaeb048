import { createManualChanges, type ManualChanges } from '../gateway/accounts/manual-changes.ts';
import { type RevokedAutomation, revokedFiles, revokedPart } from '../workers/operations/automation.ts';
import type { Store } from '../workers/store.ts';

/** Automation that ends with a person's decision, in the tables of all features that act by themselves. */
export function createStoredManualChanges(
  store: Pick<Store, 'writer'>,
  log: { warn(message: string): void },
): ManualChanges {
  return createManualChanges<RevokedAutomation>({
    revoke: (scope) => store.writer.run('revokeAutomation', scope),
    restore: (revoked) => store.writer.run('restoreAutomation', revoked),
    filesOf: revokedFiles,
    part: revokedPart,
    log,
  });
}
