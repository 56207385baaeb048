import type { ManualChangeStore } from '../gateway/accounts/manual-changes.ts';
import type { Store } from '../workers/store.ts';

/** Automation that ends with a person's decision, in the tables of all features that act automatically. */
export function createManualChangeStore({ reader, writer }: Pick<Store, 'reader' | 'writer'>): ManualChangeStore {
  return {
    begin: (args) => writer.run('beginManualChange', args),
    note: (args) => writer.run('noteManualChange', args),
    settle: (args) => writer.run('settleManualChange', args),
    open: () => reader.run('openManualChanges', null),
  };
}
