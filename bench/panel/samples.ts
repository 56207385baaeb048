import { maximum, median, quantile } from '../lib/statistics.ts';
import { atMost, type FigureSpec, type Measured } from '../measure.ts';

/** Time of a view with a filter, from the first request to the last byte of the last answer. */
export interface Sample {
  readonly view: string;
  readonly filter: string;
  readonly ms: number;
  readonly bytes: number;
}

/** The bar applies to every view, so the slowest one is reported. */
export function viewFigures<Name extends string>(name: Name, barMs: number): Record<ViewFigure<Name>, FigureSpec> {
  return {
    [`${name}, p50`]: { unit: 'ms' },
    [`${name}, slowest view, p99`]: { unit: 'ms', bar: atMost(barMs) },
  } as Record<ViewFigure<Name>, FigureSpec>;
}

type ViewFigure<Name extends string> = `${Name}, p50` | `${Name}, slowest view, p99`;

export function viewValues<Name extends string>(
  name: Name,
  samples: readonly Sample[],
): Record<ViewFigure<Name>, Measured> {
  const worst = spreads(samples, 'view')[0];
  return {
    [`${name}, p50`]: median(samples.map(({ ms }) => ms)),
    [`${name}, slowest view, p99`]: {
      value: worst?.p99 ?? 0,
      note: `${worst?.name}; longest with filter ${worst?.longest.filter}`,
    },
  } as Record<ViewFigure<Name>, Measured>;
}

/** For report.json: times by view and by filter, slowest first, and the slowest questions. */
export function sampleDetails(samples: readonly Sample[]) {
  const longest = samples.toSorted((a, b) => b.ms - a.ms).slice(0, 100);
  return { views: spreads(samples, 'view'), filters: spreads(samples, 'filter'), longest };
}

function spreads(samples: readonly Sample[], by: 'view' | 'filter') {
  const groups = [...Map.groupBy(samples, (sample) => sample[by])];
  return groups
    .map(([name, some]) => {
      const times = some.map(({ ms }) => ms);
      const longest = some.reduce((most, sample) => (sample.ms > most.ms ? sample : most));
      return {
        name,
        p50: median(times),
        p99: quantile(times, 0.99),
        longest,
        bytes: maximum(some.map((s) => s.bytes)),
      };
    })
    .toSorted((a, b) => b.p99 - a.p99);
}
