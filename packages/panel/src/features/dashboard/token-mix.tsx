import type { DashboardResponse } from '@manager/core/contract/dashboard';
import { type TextKey, useText } from '../../i18n/index.ts';
import { FIXED_COLORS } from '../../ui/chart/looks.ts';
import { formatCompact, formatCount, formatShare } from '../../ui/format.ts';

const LABELS: Readonly<Record<DashboardResponse['token_mix'][number]['key'], TextKey>> = {
  input: 'mix.input',
  cached: 'mix.cached',
  output: 'mix.output',
  reasoning: 'mix.reasoning',
};

/** What the tokens of the day were, largest first. */
export function TokenMix({ dashboard }: { readonly dashboard: DashboardResponse }) {
  const { t } = useText();
  const parts = [...dashboard.token_mix].sort((one, other) => other.tokens - one.tokens);
  return (
    <>
      <div className="mix-bar" aria-hidden="true">
        {parts.map(({ key, share }) => (
          <i key={key} style={{ flexGrow: share, background: `var(--${FIXED_COLORS[key]})` }} />
        ))}
      </div>
      <dl className="mix">
        {parts.map(({ key, tokens, share }) => (
          <div key={key}>
            <dt>
              <i style={{ background: `var(--${FIXED_COLORS[key]})` }} />
              {t(LABELS[key])}
            </dt>
            <dd title={formatCount(tokens)}>
              {formatCompact(tokens)} <span className="ink-3">{formatShare(share)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
