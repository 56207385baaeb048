import { useHost, useStatus } from '../../api/queries.ts';
import { useNow } from '../../app/clock.ts';
import { collectorState } from '../../app/collector-state.ts';
import { useTimeZone } from '../../app/preferences.ts';
import { useText } from '../../i18n/index.ts';
import { formatCompact, formatCount, NONE } from '../../ui/format.ts';
import { useSpan } from '../../ui/states.tsx';
import { StatRow } from '../../ui/stats.tsx';
import { shortTime, timeOfDay } from '../../ui/time.ts';

/** Up to here a count stands in full. */
const FULL_UP_TO = 9_999_999;
const short = (value: number): string => (value > FULL_UP_TO ? formatCompact(value) : formatCount(value));

/** Counters of the collector, and the number of requests that the range and the filters hold. */
export function LiveStats({
  matching,
  scope,
}: {
  readonly matching: number | null | undefined;
  readonly scope: string;
}) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const span = useSpan();
  const now = useNow();
  const status = useStatus();
  const { data } = status;
  const host = useHost();
  const startedAt = host.data?.kind === 'manager' ? host.data.info.startedAt : null;
  const since = startedAt === null ? '' : t('stat.since', { time: shortTime(startedAt, now, zone, locale) });
  const lastEvent = collectorState(data).lastEventMs;
  const count = (value: number | null | undefined) =>
    value === undefined || value === null ? {} : { title: formatCount(value) };
  // Failed with nothing to show is not the same as on its way.
  const missing = status.error === null ? undefined : NONE;
  const shown = (value: number | undefined) => (value === undefined ? missing : short(value));
  return (
    <StatRow
      label={t('stat.label')}
      compact
      stats={[
        {
          key: 'matching',
          label: t('stat.requests'),
          value: matching === null ? NONE : matching === undefined ? undefined : short(matching),
          qualifier: scope,
          ...count(matching),
        },
        {
          key: 'stored',
          label: t('stat.stored'),
          value: shown(data?.eventCount ?? data?.events),
          qualifier: t('stat.storedHint'),
          ...count(data?.events),
        },
        {
          key: 'inserted',
          label: t('stat.inserted'),
          value: shown(data?.collector.totalInserted),
          qualifier: since,
          ...count(data?.collector.totalInserted),
        },
        {
          key: 'skipped',
          label: t('stat.skipped'),
          value: shown(data?.collector.totalSkipped),
          qualifier: t('stat.skippedHint'),
          ...count(data?.collector.totalSkipped),
        },
        {
          key: 'dead',
          label: t('stat.dead'),
          value: shown(data?.deadLetters),
          tone: (data?.deadLetters ?? 0) > 0 ? 'warn' : null,
          qualifier: data === undefined ? '' : data.deadLetters > 0 ? t('stat.deadKept') : t('stat.deadNone'),
          ...count(data?.deadLetters),
        },
        {
          key: 'last',
          label: t('stat.lastEvent'),
          value: data === undefined ? missing : timeOfDay(lastEvent, zone),
          qualifier:
            data === undefined
              ? ''
              : lastEvent === null
                ? t('stat.noEvent')
                : t('time.ago', { span: span(now - lastEvent) }),
          ...(lastEvent === null ? {} : { title: shortTime(lastEvent, now, zone, locale) }),
        },
      ]}
    />
  );
}
