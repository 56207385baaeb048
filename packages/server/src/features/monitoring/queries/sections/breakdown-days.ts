import type { BreakdownDay, BreakdownKind } from '@manager/core/contract/monitoring/breakdown';
import { createZone } from '@manager/core/time/zones';
import { dateDimension } from '../../../../facts/answers/local-time.ts';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { addTotals, groupTotals, totalsSection } from '../../../../facts/kernels/totals.ts';
import { costMember } from '../../../../facts/ratios.ts';
import { LEVELS, numberLevel } from '../fold/levels.ts';
import type { AnalyticsPlan } from '../plan.ts';

const DAY_MS = 86_400_000;

/** Sums of each row of a breakdown by local date, in order; dates without requests are left out. */
export function planBreakdownDays(plan: AnalyticsPlan, by: BreakdownKind): () => (id: string) => BreakdownDay[] {
  const level = LEVELS[by];
  const dates = dateDimension(createZone(plan.query.timeZone));
  const read = plan.range.add(totalsSection([symbolDimension(level.columns), dates], plan.pricer));
  return () => {
    const state = read();
    const { ids, numbers } = numberLevel([state], 0, level, plan.snapshot.symbols);
    const days = groupTotals(state).map(({ values: [, [day = 0] = []], totals }, group) => ({
      id: ids[numbers[0]?.[group] ?? 0] ?? '',
      day,
      totals,
    }));
    const byRow = Map.groupBy(days, ({ id }) => id);
    return (id) =>
      [...Map.groupBy(byRow.get(id) ?? [], ({ day }) => day)]
        .sort(([left], [right]) => left - right)
        .map(([day, parts]) => {
          const totals = addTotals(parts.map((part) => part.totals));
          return {
            date: new Date(day * DAY_MS).toISOString().slice(0, 10),
            calls: totals.calls,
            total_tokens: totals.totalTokens,
            ...costMember(totals),
          };
        });
  };
}
