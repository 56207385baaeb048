import type { Summary } from '@manager/core/contract/monitoring-sections';
import { type TextKey, useText } from '../../i18n/index.ts';
import type { ChartColor } from '../../ui/chart/types.ts';
import { formatCompact, formatCount, formatShare } from '../../ui/format.ts';
import { Explain } from './parts.tsx';

const EXPLAINED = 'explain.tokenStructure';

interface Part {
  readonly label: TextKey;
  readonly color: ChartColor;
  readonly tokens: number;
}

/** Input by where it came from, and output; the total is the one that was reported, not the sum of the parts. */
export function tokenParts(sums: Summary): readonly Part[] {
  const cached = sums.cached_tokens + sums.cache_read_tokens;
  const uncached = Math.max(0, sums.input_tokens - cached - sums.cache_creation_tokens);
  return [
    { label: 'analytics.uncached', color: 'series-1', tokens: uncached },
    { label: 'analytics.cached', color: 'series-1-soft', tokens: cached },
    { label: 'analytics.creation', color: 'series-7', tokens: sums.cache_creation_tokens },
    { label: 'analytics.output', color: 'series-3', tokens: sums.output_tokens },
  ];
}

export function TokenStructure({ summary }: { readonly summary: Summary | undefined }) {
  const { t } = useText();
  if (summary === undefined || summary.total_calls === 0) {
    return <p className="small ink-3">{t('analytics.noTokens')}</p>;
  }
  const parts = tokenParts(summary);
  const sum = parts.reduce((total, { tokens }) => total + tokens, 0);
  const rows = parts.map((part) => ({ ...part, share: sum === 0 ? null : part.tokens / sum }));
  return (
    <>
      <div className="mix-bar" aria-hidden="true">
        {rows.map(({ label, color, share }) => (
          <i key={label} style={{ flexGrow: share ?? 0, background: `var(--${color})` }} />
        ))}
      </div>
      <dl className="mix token-parts">
        {rows.map(({ label, color, tokens, share }) => (
          <div key={label}>
            <dt>
              <i style={{ background: `var(--${color})` }} />
              {t(label)}
            </dt>
            <dd title={formatCount(tokens)}>
              {formatCompact(tokens)} <span className="ink-3">{formatShare(share)}</span>
            </dd>
          </div>
        ))}
        <div>
          <dt>
            <i style={{ background: 'var(--series-4)' }} />
            {t('analytics.reasoning')}
          </dt>
          <dd title={formatCount(summary.reasoning_tokens)}>{formatCompact(summary.reasoning_tokens)}</dd>
        </div>
        <div>
          <dt>{t('analytics.reported')}</dt>
          <dd title={formatCount(summary.total_tokens)} className="row">
            {formatCompact(summary.total_tokens)}
            <Explain name={t('analytics.tokenStructure')} text={EXPLAINED} />
          </dd>
        </div>
      </dl>
    </>
  );
}
