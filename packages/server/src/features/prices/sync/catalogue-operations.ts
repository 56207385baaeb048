import { CatalogueError, type CatalogueSource } from '@manager/core/pricing/catalogue/catalogue';
import { readLiteLlm } from '@manager/core/pricing/catalogue/litellm';
import { readModelsDev } from '@manager/core/pricing/catalogue/models-dev';
import { readOpenRouter } from '@manager/core/pricing/catalogue/open-router';
import type { SyncPlanner } from '@manager/core/pricing/catalogue/sync-plan';
import { Transfer } from '../../../sqlite/worker/transfer.ts';

export interface CatalogueContext {
  readonly planner: SyncPlanner;
  /** Throws when nobody waits for the answer any more. */
  readonly checkStopped: () => void;
}

export interface CatalogueArgs {
  readonly source: CatalogueSource;
  readonly body: Uint8Array;
  readonly models: readonly string[] | null;
}

export type CatalogueRead =
  /** `complete`: every requested model has a price. */
  | { readonly kind: 'read'; readonly models: number; readonly skipped: number; readonly complete: boolean }
  | { readonly kind: 'bad'; readonly error: string };

const READERS = { 'models.dev': readModelsDev, litellm: readLiteLlm, openrouter: readOpenRouter } as const;

/** Catalogues are megabytes of JSON, so they are read and compared outside the main thread. */
export const CATALOGUE_OPERATIONS = {
  addCatalogue({ planner }: CatalogueContext, { source, body, models }: CatalogueArgs): CatalogueRead {
    try {
      const catalogue = READERS[source](new TextDecoder().decode(body));
      planner.add(catalogue);
      const complete = models !== null && planner.isComplete(models);
      return { kind: 'read', models: catalogue.entries.length, skipped: catalogue.skipped, complete };
    } catch (error) {
      if (error instanceof CatalogueError) return { kind: 'bad', error: error.message };
      throw error;
    }
  },

  /** The plan as JSON: it is passed to the writer unread. */
  planSync(
    { planner, checkStopped }: CatalogueContext,
    models: readonly string[] | null,
  ): Transfer<Uint8Array<ArrayBuffer>> {
    const plan = new TextEncoder().encode(JSON.stringify(planner.plan(models, checkStopped)));
    return new Transfer(plan, [plan.buffer]);
  },
} as const;

export type CatalogueOperations = typeof CATALOGUE_OPERATIONS;
