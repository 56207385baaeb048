import type { RecentUse } from '../../platform/accounts/recent-buckets.ts';
import { formatCount, NONE } from '../../platform/format/format.ts';
import type { Translate } from '../../platform/i18n/index.ts';

const STEP = 5;
const HEIGHT = 20;

/** `3 failed · 200 min`: the counted time beside the counts. */
export function recentSpan({ failed, minutes }: RecentUse, t: Translate): string {
  const span = t('span.minutes', { value: minutes });
  return failed === 0 ? span : `${t('dashboard.failedCount', { failed: formatCount(failed) })} · ${span}`;
}

/** Requests of every ten minutes, the oldest left; failures are below, in red. */
export function RecentBars({ use, t }: { readonly use: RecentUse; readonly t: Translate }) {
  const { buckets, success, failed } = use;
  if (buckets.length === 0) return <span className="ink-3">{NONE}</span>;
  const most = Math.max(1, ...buckets.map((bucket) => bucket.success + bucket.failed));
  const width = buckets.length * STEP;
  const label = [
    t('clientKeys.requestsOf', { count: success + failed, value: formatCount(success + failed) }),
    recentSpan(use, t),
  ].join(', ');
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      {buckets.map((bucket, place) => {
        const bad = bucket.failed === 0 ? 0 : Math.max(2, (HEIGHT * bucket.failed) / most);
        const good = Math.max(2, (HEIGHT * bucket.success) / most);
        const idle = bucket.success + bucket.failed === 0;
        const box = { x: place * STEP, width: STEP - 2 };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: identified by position.
          <g key={place}>
            {(idle || bucket.success > 0) && (
              <rect {...box} y={HEIGHT - bad - good} height={good} fill={idle ? 'var(--line-strong)' : 'var(--mute)'} />
            )}
            {bad > 0 && <rect {...box} y={HEIGHT - bad} height={bad} fill="var(--bad-fill)" />}
          </g>
        );
      })}
    </svg>
  );
}
