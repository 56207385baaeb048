import type { ManualChangeStore } from './manual-changes.ts';

/** Nothing is disabled automatically, so no change of a person ends anything. */
export const NO_CLAIMS: ManualChangeStore = {
  begin: async () => null,
  note: async () => {},
  settle: async () => {},
  open: async () => [],
};
