import { useCallback } from 'react';
import { useMasker } from '../../../platform/preferences/masking.ts';
import type { AnalyticsTab } from '../analytics-search.ts';
import type { UsageRow } from './usage-rows.ts';

/** Name of a row in files: as on screen while masking is on, else in full; hashes of keys are always shortened. */
export function useExportedName(kind: AnalyticsTab): (row: Pick<UsageRow, 'name' | 'plainName'>) => string {
  const masked = useMasker().on;
  return useCallback((row) => (masked || kind === 'models' ? row.name : row.plainName || row.name), [masked, kind]);
}
