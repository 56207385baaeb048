import { copyOf } from '../dataset/database.ts';
import type { BareResult } from '../drivers/write-bare.ts';
import { runChild } from '../lib/children.ts';
import type { Measure } from './measure.ts';

/** The same rows into the same tables of the same file, by SQLite alone: what the disk and the engine allow. */
export const measureBareSqlite: Measure = async ({ plan, base, figure }) => {
  const copy = copyOf(base);
  try {
    const result = await runChild<BareResult>('drivers/write-bare.ts', { path: copy.path, seconds: plan.bareSeconds });
    const ours = figure('ingest', 'ingest, sustained');
    return {
      figures: [
        { name: 'bare SQLite, the same rows', value: result.perSecond, unit: 'events/s' },
        { name: 'its processor time', value: result.cpuUsPerEvent, unit: 'µs/event' },
        ...(ours === null
          ? []
          : [{ name: 'the product, share of bare SQLite', value: ours / result.perSecond, unit: '' }]),
      ],
      details: result,
    };
  } finally {
    copy.remove();
  }
};
