import { AppError } from '@manager/core/contract/errors';
import { bucketAt, bucketLabel, type Granularity, localDay } from '@manager/core/time/buckets';
import { createZone, type Zone } from '@manager/core/time/zones';
import { type Dimension, timeDimension } from '../../../facts/kernels/dimensions.ts';
import type { AnalyticsQuery } from '../request.ts';

/** How a request splits time. Values of the dimension are starts of buckets, ms. */
export interface TimeBuckets {
  readonly dimension: Dimension;
  label(startMs: number): string;
  endOf(startMs: number): number;
  /** @throws AppError 400 when an answer would have too many short buckets */
  checkCount(count: number): void;
}

/** Most buckets of less than an hour in one answer. */
const MAX_SHORT_BUCKETS = 2_000;

const DAY_MS = 86_400_000;

export function timeBuckets({ timeZone, granularity }: Pick<AnalyticsQuery, 'timeZone' | 'granularity'>): TimeBuckets {
  const zone = createZone(timeZone);
  return {
    dimension: timeDimension(`bucket:${zone.name}:${granularity}`, (ms) => slotAt(zone, granularity, ms)),
    label: (startMs) => bucketLabel(zone, granularity, startMs),
    endOf: (startMs) => bucketAt(zone, granularity, startMs).endMs,
    checkCount: (count) => checkCount(granularity, count),
  };
}

function checkCount(granularity: Granularity, count: number): void {
  if (granularity === 'hour' || granularity === 'day' || count <= MAX_SHORT_BUCKETS) return;
  throw new AppError('too_many_buckets', {
    message:
      `granularity: at most ${MAX_SHORT_BUCKETS} buckets of ${granularity} in one response, here ${count}; ` +
      'choose a shorter range or longer buckets',
  });
}

/**
 * Stretch around an instant with one bucket. A local date that clocks were set back into has two stretches, with a part of the
 * next date between them.
 */
function slotAt(zone: Zone, granularity: Granularity, ms: number) {
  const { startMs, endMs } = bucketAt(zone, granularity, ms);
  if (granularity !== 'day') return { fromMs: startMs, toMs: endMs, value: startMs };
  const stretch = zone.stretchAt(ms);
  const midnightMs = localDay(zone, ms) * DAY_MS - stretch.offsetMs;
  return {
    fromMs: Math.max(stretch.fromMs, midnightMs),
    toMs: Math.min(stretch.toMs, midnightMs + DAY_MS),
    value: startMs,
  };
}
