import { Link } from '@tanstack/react-router';
import { useStatus } from '../../api/queries.ts';
import { collectorState } from '../../app/collector-state.ts';
import { useTimeZone } from '../../app/preferences.ts';
import { useText } from '../../i18n/index.ts';
import { fromQuery } from '../../ui/data-source.ts';
import { formatCount, NONE } from '../../ui/format.ts';
import { SourceAge, SourceView } from '../../ui/source-view.tsx';
import { Status } from '../../ui/status.tsx';
import { timeOfDay } from '../../ui/time.ts';

/** Where the numbers come from, and when they came last. */
export function CollectorPanel() {
  const { t } = useText();
  const zone = useTimeZone();
  const source = fromQuery(useStatus());
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
            const facts = [
              [
                t('dashboard.state'),
                <Status tone={state.tone} key="state">
                  {t(state.label)}
                </Status>,
              ],
              [t('dashboard.transport'), collector.transport || NONE],
              [t('dashboard.lastEvent'), timeOfDay(state.lastEventMs, zone)],
              [t('dashboard.written'), formatCount(status.events)],
              [t('dashboard.undecodable'), formatCount(status.deadLetters)],
            ] as const;
            return (
              <dl className="definitions facts">
                {facts.map(([label, value]) => (
                  <div key={label} style={{ display: 'contents' }}>
                    <dt>{label}</dt>
                    <dd>
                      <span className="value">{value}</span>
                    </dd>
                  </div>
                ))}
              </dl>
            );
          }}
        </SourceView>
      </div>
    </section>
  );
}
