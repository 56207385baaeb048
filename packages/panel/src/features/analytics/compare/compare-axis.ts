import type { Translate } from '../../../platform/i18n/index.ts';
import type { ChartAxis } from '../../../ui/chart/lane-chart.tsx';
import type { AxisTick } from '../../../ui/chart/types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEPS = [1, 2, 3, 6, 12, 24, 48, 120, 240, 720, 2_400].map((hours) => hours * HOUR_MS);

/** Offsets from the start of both ranges: `Day 3`, `+6 h`. */
export function offsetAxis(t: Translate): ChartAxis {
  const label = (ms: number, step: number): string =>
    step >= DAY_MS
      ? t('compare.day', { day: Math.floor(ms / DAY_MS) + 1 })
      : t('compare.hours', { hours: Math.round(ms / HOUR_MS) });
  return {
    ticks: (fromMs, toMs, most) => {
      const step = STEPS.find((one) => (toMs - fromMs) / one <= most) ?? STEPS.at(-1) ?? DAY_MS;
      const ticks: AxisTick[] = [];
      for (let atMs = fromMs; atMs < toMs; atMs += step) ticks.push({ atMs, label: label(atMs, step) });
      return ticks;
    },
    name: ({ startMs, endMs }) => {
      const day = t('compare.day', { day: Math.floor(startMs / DAY_MS) + 1 });
      if (endMs - startMs >= DAY_MS) return day;
      const hours = t('compare.hours', { hours: Math.round((startMs % DAY_MS) / HOUR_MS) });
      return `${day}, ${hours}`;
    },
  };
}
