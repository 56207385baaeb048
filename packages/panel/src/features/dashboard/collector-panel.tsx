import type { StatusResponse } from '@manager/core/contract/system/status';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { fromQuery } from '../../platform/api/data-source.ts';
import { formatCount, NONE } from '../../platform/format/format.ts';
import { shortTime, timeOfDay } from '../../platform/format/time.ts';
import { type Translate, useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useStatus } from '../../platform/queries/queries.ts';
import { collectorState } from '../../ui/collector/collector-state.ts';
import { FactLines } from '../../ui/display/fact-lines.tsx';
import { Status } from '../../ui/display/status.tsx';
import { SourceAge, SourceView } from '../../ui/feedback/source-view.tsx';

/** Source of the numbers, and the time of the last event. */
export function CollectorPanel() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const source = fromQuery(useStatus());
  const gapText = ({ collector }: StatusResponse): string => {
    const { last } = collector.gaps;
    if (last === undefined) return NONE;
    const time = (ms: number) => shortTime(ms, Date.now(), zone, locale);
    return `${time(last.fromMs)} – ${last.toMs === null ? t('system.gapOpen') : time(last.toMs)}`;
  };
  return (
    <section className="panel" aria-label={t('dashboard.collector')}>
      <div className="panel-head">
        <h2>{t('dashboard.collector')}</h2>
        <SourceAge source={source} />
        <span className="spacer" />
        <Link to="/system" search={{}} className="link">
          {t('nav.system')}
        </Link>
      </div>
      <div className="panel-body">
        <SourceView
          source={source}
          loading={<span className="skeleton" style={{ display: 'block', height: 120 }} />}
          errorTitle={t('dashboard.failedToLoad')}
        >
          {(status) => {
            const { collector } = status;
            const state = collectorState(status);
            const facts: readonly (readonly [string, ReactNode])[] = [
              [
                t('dashboard.state'),
                <Status tone={state.tone} key="state">
                  {t(state.label)}
                </Status>,
              ],
              [t('dashboard.transport'), transportText(collector, t)],
              [
                t('dashboard.lastEvent'),
                state.lastEventMs === null
                  ? NONE
                  : t('dashboard.lastEventText', {
                      received: timeOfDay(state.lastEventMs, zone),
                      written: timeOfDay(status.lastInsertedAt, zone),
                    }),
              ],
              [
                t('dashboard.written'),
                t('dashboard.writtenText', {
                  events: formatCount(status.events),
                  skipped: formatCount(collector.totalSkipped),
                }),
              ],
              [t('dashboard.undecodable'), formatCount(status.deadLetters)],
              collector.lastError === ''
                ? [t('dashboard.lastGap'), gapText(status)]
                : [
                    t('dashboard.lastError'),
                    <span className="tone-bad" key="error">
                      {collector.lastError}
                    </span>,
                  ],
            ];
            return (
              <dl className="definitions" style={{ gridTemplateColumns: '104px minmax(0, 1fr)' }}>
                <FactLines facts={facts} />
              </dl>
            );
          }}
        </SourceView>
      </div>
    </section>
  );
}

/** The transport in use, and the setting that chose it. */
function transportText({ transport, mode }: StatusResponse['collector'], t: Translate): string {
  if (transport === '') return NONE;
  const name = t(`mode.${transport}`);
  return mode === 'auto' ? `${name} (${t('mode.auto')})` : name;
}
