import type { Contributor, HeatmapCell } from '@manager/core/contract/monitoring/sections';
import { Group } from '@mantine/core';
import { fromQuery } from '../../../platform/api/data-source.ts';
import { formatCompact, formatCount, formatShare, formatTenths, NONE } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { nextDay, shortDate, weekdayOf } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { keyName } from '../../../platform/requests/event-view.ts';
import { type Change, pointChange, relativeChange } from '../../../platform/wording/changes.ts';
import { judgeChange } from '../../../platform/wording/judge-change.ts';
import { ChangeText } from '../../../ui/display/change-text.tsx';
import { Block } from '../../../ui/feedback/block.tsx';
import { SourceView } from '../../../ui/feedback/source-view.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { RequestsLink } from '../../../ui/requests/requests-link.tsx';
import { DetailDrawer, Facts } from '../detail-drawer.tsx';
import { monitoringSearch } from '../monitoring-search.ts';
import type { TabProps } from '../tab-props.ts';
import { PartList } from '../usage/part-list.tsx';
import { shareRow, type UsageRow } from '../usage/usage-rows.ts';
import { useNaming } from '../usage/use-naming.ts';
import { type Answered, useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { cellName } from './heat-grid.tsx';
import { daysOf, type HeatCell, heatValue, hourOfDay, MIN_REQUESTS } from './heat-view.ts';

/** Maximum number of days offered. */
const MAX_DAYS = 12;

/** An hour of the week: its values, a comparison with other hours, its sources; or one of its days alone. */
export function HeatDrawer(props: TabProps & { readonly answered: Answered; readonly cell: HeatCell | undefined }) {
  const { search, change, zone, slot, answered, cell } = props;
  const { t, locale } = useText();
  const close = () => change({ open: '', day: 0 });
  const days = cell === undefined ? [] : daysOf(answered, zone).filter((day) => weekdayOf(day, zone) === cell.weekday);
  const day = days.find((one) => one === search.day) ?? (days.length === 1 ? days[0] : undefined);
  if (cell === undefined) {
    return (
      <DetailDrawer slot={slot} label={t('heat.cell')} title={t('heat.cell')} onClose={close}>
        <EmptyState title={t('analytics.notInRange')} text={t('analytics.notInRangeText')} />
      </DetailDrawer>
    );
  }
  const hour = day === undefined ? null : hourOfDay(day, cell.hour, zone);
  return (
    <DetailDrawer
      slot={slot}
      label={t('heat.cell')}
      title={cellName(cell, locale)}
      subtitle={zone}
      onClose={close}
      foot={
        hour !== null ? (
          <RequestsLink search={monitoringSearch(answered.scope, answered, hour)} className="link">
            {t('analytics.openRequests')}
          </RequestsLink>
        ) : (
          <span className="small ink-3">{t('heat.chooseDay')}</span>
        )
      }
    >
      <section>
        <h2>{t('heat.days')}</h2>
        <Group className="day-chips">
          <button
            type="button"
            className="chip"
            aria-pressed={search.day === 0}
            onClick={() => change({ day: 0 }, true)}
          >
            {t('heat.allDays', { count: days.length })}
          </button>
          {days.slice(0, MAX_DAYS).map((one) => (
            <button
              type="button"
              key={one}
              className="chip"
              aria-pressed={search.day === one}
              onClick={() => change({ day: one }, true)}
            >
              {shortDate(one, zone, locale)}
            </button>
          ))}
        </Group>
      </section>
      {search.day === 0 || day === undefined ? (
        <CellSections {...props} cell={cell} days={days.length} sums={cell.sums} />
      ) : (
        <DaySections {...props} cell={cell} day={day} />
      )}
    </DetailDrawer>
  );
}

/** The same hour of one day, by its own request. */
function DaySections(props: TabProps & { readonly answered: Answered; readonly cell: HeatCell; readonly day: number }) {
  const { zone, answered, cell, day } = props;
  const { t } = useText();
  const unsupported = useUnsupported();
  const source = fromQuery(
    useAnalytics({
      part: 'heat-day',
      scope: answered.scope,
      range: { fromMs: Math.max(day, answered.fromMs), toMs: Math.min(nextDay(day, zone), answered.toMs) },
      zone,
      granularity: 'hour',
      include: () => ({ heatmap: true }),
    }),
  );
  return (
    <SourceView
      source={source}
      loading={
        <section>
          <Block height={240} />
        </section>
      }
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
    >
      {({ answer }) => (
        <CellSections
          {...props}
          days={1}
          sums={answer.heatmap?.find(({ weekday, hour }) => weekday === cell.weekday && hour === cell.hour)}
        />
      )}
    </SourceView>
  );
}

function CellSections({
  search,
  money,
  zone,
  answered,
  cell,
  days,
  sums,
}: TabProps & {
  readonly answered: Answered;
  readonly cell: HeatCell;
  readonly days: number;
  readonly sums: HeatmapCell | undefined;
}) {
  const { t } = useText();
  const { heat } = search;
  const naming = useNaming();
  if (sums === undefined) return <EmptyState title={t('heat.empty')} text={t('heat.emptyText')} />;
  const all = hourMeans(answered, heat, zone);
  const own = heat === 'failureRate' ? heatValue(sums, heat) : (heatValue(sums, heat) ?? 0) / Math.max(1, days);
  const text = (value: number | null): string => {
    if (value === null) return NONE;
    if (heat === 'failureRate') return formatShare(value);
    if (heat === 'cost') return money.format(value);
    return value < 10 ? formatTenths(value) : formatCompact(value);
  };
  const against = (label: string, other: number | null): readonly [string, React.ReactNode] => {
    const rate = heat === 'failureRate';
    const change: Change = rate ? pointChange(own, other) : relativeChange(own, other);
    // This hour has fewer requests than those that include it.
    const verdict = judgeChange({
      baseRequests: sums.calls,
      before: other,
      after: own,
      good: rate ? 'down' : null,
      share: rate,
    });
    return [
      label,
      <span key={label} className="row">
        {text(other)} <ChangeText change={change} verdict={verdict} />
      </span>,
    ];
  };
  const by = heat === 'failureRate' ? 'requests' : heat;
  const total = by === 'requests' ? sums.calls : by === 'tokens' ? sums.tokens : sums.cost;
  return (
    <>
      <section>
        <Facts
          facts={[
            [t('analytics.requests'), formatCount(sums.calls)],
            [
              t('analytics.failureRate'),
              `${formatShare(search.scope.status === 'all' ? sums.failure_rate : null)} (${formatCount(sums.failure)})`,
            ],
            [t('analytics.tokens'), formatCompact(sums.tokens)],
            [`${t('analytics.cost')}${money.mark}`, money.sum(sums.cost, sums.unpriced_calls)],
          ]}
        />
      </section>
      <section>
        <h2>{t('heat.against')}</h2>
        <Facts
          facts={[
            [t(days === 1 ? 'heat.thisHour' : 'heat.meanHere'), text(own)],
            against(t('heat.overall'), all.overall),
            against(t('heat.sameWeekday'), all.weekday(cell.weekday)),
            against(t('heat.sameHour'), all.hour(cell.hour)),
          ]}
        />
      </section>
      <PartList
        title={t('analytics.models')}
        rows={contributorRows(sums.model_contributors, (key) => shown(key))}
        by={by}
        total={total}
        money={money}
      />
      <PartList
        title={t('analytics.keys')}
        rows={contributorRows(sums.api_key_contributors, (key) =>
          key === '' || key === '-' ? naming.noKey : shown(keyName(key, naming.keyNames)),
        )}
        by={by}
        total={total}
        money={money}
      />
      <PartList
        title={t('analytics.providers')}
        rows={contributorRows(sums.provider_contributors, (key) => shown(key))}
        by={by}
        total={total}
        money={money}
      />
    </>
  );
}

function contributorRows(rows: readonly Contributor[] | undefined, name: (key: string) => string): readonly UsageRow[] {
  return (rows ?? []).map((row) => shareRow(row, row.key, name(row.key), row.key));
}

/** Means of an hour: over all hours, of a weekday, of an hour of the day; each hour counted as often as its day occurred. */
function hourMeans({ answer, fromMs, toMs }: Answered, measure: TabProps['search']['heat'], zone: string) {
  const cells = answer.heatmap ?? [];
  const days = daysOf({ fromMs, toMs }, zone).map((day) => weekdayOf(day, zone));
  const count = (weekday: number | null) =>
    weekday === null ? days.length : days.filter((day) => day === weekday).length;
  const mean = (some: readonly HeatmapCell[], hours: number): number | null => {
    if (measure === 'failureRate') {
      const calls = some.reduce((sum, cell) => sum + cell.calls, 0);
      return calls < MIN_REQUESTS ? null : some.reduce((sum, cell) => sum + cell.failure, 0) / calls;
    }
    return hours === 0 ? null : some.reduce((sum, cell) => sum + (heatValue(cell, measure) ?? 0), 0) / hours;
  };
  return {
    overall: mean(cells, 24 * count(null)),
    weekday: (weekday: number) =>
      mean(
        cells.filter((cell) => cell.weekday === weekday),
        24 * count(weekday),
      ),
    hour: (hour: number) =>
      mean(
        cells.filter((cell) => cell.hour === hour),
        count(null),
      ),
  };
}
