import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatCost, formatCount, formatExactCost } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { type TextKey, type Translate, useText } from '../../../platform/i18n/index.ts';
import { type CostPartKind, type EventCost, eventCost, unpricedSearch } from '../../../platform/requests/event-cost.ts';
import { priceSource } from '../../../platform/requests/price-source.ts';
import { usePricing } from '../../../platform/requests/use-pricing.ts';
import { Field } from './field.tsx';

type Priced = Extract<EventCost, { kind: 'priced' }>;

/** Token counts, cost, and the calculation of the cost. */
export function TokensSection({ event }: { readonly event: EventRow }) {
  const { t } = useText();
  if (event.total_tokens === 0 && event.input_tokens === 0 && event.output_tokens === 0) {
    return (
      <section>
        <div className="row">
          <h2 style={{ margin: 0 }}>{t('drawer.tokens')}</h2>
          <span className="spacer" />
          <span className="small ink-3">{event.failed ? t('drawer.tokensRefused') : t('drawer.tokensNone')}</span>
        </div>
      </section>
    );
  }
  const rows: readonly (readonly [TextKey, number, boolean])[] = [
    ['tokens.input', event.input_tokens, true],
    ['tokens.cacheRead', event.cache_read_tokens, false],
    ['tokens.cacheCreation', event.cache_creation_tokens, false],
    ['tokens.cacheWrite1h', event.cache_write_1h_tokens ?? 0, false],
    ['tokens.cached', event.cached_tokens, false],
    ['tokens.output', event.output_tokens, true],
    ['tokens.reasoning', event.reasoning_tokens, false],
    ['tokens.total', event.total_tokens, true],
  ];
  return (
    <section>
      <h2>{t('drawer.tokens')}</h2>
      <dl className="definitions">
        {rows
          .filter(([, count, always]) => always || count > 0)
          .map(([key, count]) => (
            <Field key={key} label={t(key)} value={formatCount(count)} />
          ))}
      </dl>
      <CostOf event={event} />
    </section>
  );
}

function CostOf({ event }: { readonly event: EventRow }) {
  const { t } = useText();
  const { data: pricing, error, refetch } = usePricing(true);
  if (pricing === undefined && error !== null) {
    return (
      <Box component="p" mt="sm" className="small">
        {t('cost.failed')}{' '}
        <button type="button" className="link" onClick={() => void refetch()}>
          {t('common.tryAgain')}
        </button>
      </Box>
    );
  }
  if (pricing === undefined) {
    return (
      <Box component="p" mt="sm" role="status" aria-label={t('cost.loading')}>
        <span className="skeleton" style={{ display: 'block', width: 200 }} />
      </Box>
    );
  }
  const cost = eventCost(pricing, event);
  if (cost.kind === 'priced') return <PricedCost cost={cost} />;
  return (
    <Box component="dl" mt="sm" className="definitions">
      <dt>{t('cost.label')}</dt>
      <dd>
        <span className="value">
          {cost.kind === 'nothing' ? (
            t('cost.nothing')
          ) : (
            <>
              {t('cost.noPrice', { model: shown(cost.model) })}{' '}
              <Link to="/model-prices" search={unpricedSearch(cost.model)} className="link nowrap">
                {t('cost.setPrice')}
              </Link>
            </>
          )}
        </span>
      </dd>
    </Box>
  );
}

const PART_LABELS = {
  uncached: 'cost.uncached',
  cached: 'tokens.cacheRead',
  creation: 'tokens.cacheCreation',
  write1h: 'tokens.cacheWrite1h',
  output: 'tokens.output',
} as const satisfies Record<CostPartKind, TextKey>;

function PricedCost({ cost }: { readonly cost: Priced }) {
  const { t } = useText();
  return (
    <>
      <Box component="dl" mt="sm" className="definitions">
        <Field label={t('cost.label')} value={formatCost(cost.usd)} strong />
        <Field label={t('cost.price')} value={cost.name} note={priceSource(cost.source ?? 'built-in', t)} />
        <Field label={t('cost.band')} value={bandText(cost, t)} />
        <Field label={t('cost.tier')} value={tierText(cost, t)} />
      </Box>
      <table className="data cost-parts" style={{ marginTop: 8, tableLayout: 'auto' }} aria-label={t('cost.parts')}>
        <thead>
          <tr>
            <th scope="col">{t('cost.part')}</th>
            <th scope="col" className="right">
              {t('cost.tokens')}
            </th>
            <th scope="col" className="right">
              {t('cost.perMillion')}
            </th>
            <th scope="col" className="right">
              {t('cost.label')}
            </th>
          </tr>
        </thead>
        <tbody>
          {cost.parts.map((part) => (
            <tr key={part.kind}>
              <td>{t(PART_LABELS[part.kind])}</td>
              <td className="right">{formatCount(part.tokens)}</td>
              <td className="right">{formatExactCost(part.rate)}</td>
              <td className="right">{formatExactCost(part.usd)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="totals-row">
            <td colSpan={3}>{t('tokens.total')}</td>
            <td className="right">{formatExactCost(cost.usd)}</td>
          </tr>
        </tfoot>
      </table>
    </>
  );
}

function bandText({ band }: Priced, t: Translate): string {
  if (band === null) return '';
  const above = formatCount(band.above);
  const upTo = formatCount(band.upTo);
  if (band.above === null) return t('cost.bandUpTo', { upTo });
  return band.upTo === null ? t('cost.bandAbove', { above }) : t('cost.bandBetween', { above, upTo });
}

function tierText({ tier }: Priced, t: Translate): string {
  if (tier === null) return '';
  const name = { tier: shown(tier.name) };
  if (tier.factor === null) return t('cost.tierOwn', name);
  return tier.factor === 1 ? t('cost.tierSame', name) : t('cost.tierFactor', { ...name, factor: tier.factor });
}
