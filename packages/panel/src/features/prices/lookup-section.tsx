import type { PriceMap } from '@manager/core/pricing/price';
import { useMemo } from 'react';
import { fromQuery } from '../../platform/api/data-source.ts';
import { formatCount } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { pricingOf } from '../../platform/requests/event-cost.ts';
import { Status } from '../../ui/display/status.tsx';
import { SourceView } from '../../ui/feedback/source-view.tsx';
import { lookupsOf } from './price-rows.ts';
import { useLookupEvents } from './use-price-data.ts';

/** Under which names the newest requests of a model looked up a price, and which one they got. */
export function LookupSection({ model, prices }: { readonly model: string; readonly prices: PriceMap }) {
  const { t } = useText();
  const events = useLookupEvents(model, true);
  const lookups = useMemo(
    () => lookupsOf(events.data ?? [], prices, pricingOf(prices).book).get(model) ?? [],
    [events.data, prices, model],
  );
  return (
    <section aria-busy={events.isFetching}>
      <h2>{t('prices.lookup')}</h2>
      <p className="small ink-3">{t('prices.lookupHint')}</p>
      <SourceView
        source={fromQuery(events)}
        loading={<div className="skeleton" style={{ width: 240, marginTop: 8 }} />}
        errorTitle={t('prices.lookupFailed')}
      >
        {() =>
          lookups.length === 0 ? (
            <p className="small ink-2">{t('prices.lookupNone')}</p>
          ) : (
            lookups.map((lookup) => (
              <div className="box" key={lookup.names.join('\n')}>
                <div>{lookup.names.map((name) => shown(name)).join(' → ')}</div>
                <div className="row small">
                  {lookup.used === null && !lookup.family ? (
                    <Status tone="warn">{t('prices.stateMissing')}</Status>
                  ) : (
                    <span className="ink-2">
                      {lookup.used === null
                        ? t('prices.lookupFamily')
                        : t('prices.lookupUsed', { model: shown(lookup.used) })}
                    </span>
                  )}
                  <span className="spacer" />
                  <span className="ink-3">
                    {t('prices.requestsOf', { count: lookup.requests, value: formatCount(lookup.requests) })}
                  </span>
                </div>
              </div>
            ))
          )
        }
      </SourceView>
    </section>
  );
}
