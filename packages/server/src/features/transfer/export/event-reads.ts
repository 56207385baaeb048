import type { OperationClient } from '../../../sqlite/contexts.ts';
import { exportBounds } from './queries/export-bounds.ts';
import { exportPage } from './queries/export-page.ts';
import { exportRange } from './queries/export-range.ts';
import { usageDetails } from './queries/usage-details.ts';
import { usagePage } from './queries/usage-page.ts';

/** Listed in `workers/operations/reads.ts`. */
export const eventReads = { exportRange, exportBounds, exportPage, usagePage, usageDetails };

export type EventReads = Pick<OperationClient<typeof eventReads>, 'run'>;
