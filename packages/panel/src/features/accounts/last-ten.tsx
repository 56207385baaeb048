import type { RecentRequest } from '@manager/core/contract/accounts/history';
import type { Translate } from '../../platform/i18n/index.ts';

const COUNT = 10;
const STEP = 8;

/** Outcomes of the last requests, the oldest left: success low and gray, failure tall and red, none a dash. */
export function LastTen({ requests, t }: { readonly requests: readonly RecentRequest[]; readonly t: Translate }) {
  const failed = requests.filter((request) => request.failed).length;
  const label = t('accounts.lastTenOf', { count: requests.length, failed });
  return (
    <svg width={COUNT * STEP - 2} height="14" viewBox={`0 0 ${COUNT * STEP - 2} 14`} role="img" aria-label={label}>
      <title>{label}</title>
      {Array.from({ length: COUNT }, (_, place) => {
        const request = requests[COUNT - 1 - place];
        const box =
          request === undefined
            ? { y: 12, height: 2, fill: 'var(--line-strong)' }
            : request.failed
              ? { y: 0, height: 14, fill: 'var(--bad-fill)' }
              : { y: 8, height: 6, fill: 'var(--mute)' };
        // biome-ignore lint/suspicious/noArrayIndexKey: identified by position.
        return <rect key={place} x={place * STEP} width="5" {...box} />;
      })}
    </svg>
  );
}
