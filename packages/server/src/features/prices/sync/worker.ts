import { type ChosenEntry, createSyncPlanner } from '@manager/core/pricing/catalogue/sync-plan';
import { serveOperations } from '../../../sqlite/worker/serve.ts';
import { CATALOGUE_OPERATIONS, type CatalogueContext } from './catalogue-operations.ts';

serveOperations<readonly ChosenEntry[], CatalogueContext>((chosen, control) => ({
  operations: CATALOGUE_OPERATIONS,
  context: {
    planner: createSyncPlanner(chosen),
    checkStopped: () => {
      if (control.stopped()) throw new Error('nobody waits for this plan');
    },
  },
  close: () => {},
}));
