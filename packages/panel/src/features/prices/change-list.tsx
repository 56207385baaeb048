import { Group } from '@mantine/core';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import type { PriceChange, RateChange } from './price-changes.ts';
import { RATE_LABELS, rateText } from './price-words.ts';

/** Long lists are cut: the table has all of them. */
const MAX_SHOWN = 100;

/** Change of each price, old → new. */
export function ChangeList({ changes }: { readonly changes: readonly PriceChange[] }) {
  const { t } = useText();
  const words = { added: t('prices.added'), changed: t('prices.changed'), removed: t('prices.removed') };
  return (
    <>
      <ul
        className="lines"
        style={{ margin: '4px 0 12px', maxHeight: 280, overflowY: 'auto' }}
        aria-label={t('prices.changes')}
      >
        {changes.slice(0, MAX_SHOWN).map((change) => (
          <li key={change.model}>
            <div className="row">
              <span className="ellipsis medium">{shown(change.model)}</span>
              <span className="spacer" />
              <span className="small ink-3">{words[change.kind]}</span>
            </div>
            <RateChanges rates={change.rates} tiers={change.tiers} />
          </li>
        ))}
      </ul>
      {changes.length > MAX_SHOWN && (
        <p className="small ink-3">{t('prices.more', { count: changes.length - MAX_SHOWN })}</p>
      )}
    </>
  );
}

export function RateChanges({ rates, tiers }: { readonly rates: readonly RateChange[]; readonly tiers: boolean }) {
  const { t } = useText();
  return (
    <Group gap="0 12px" className="small ink-2">
      {rates.map(({ rate, before, after }) => (
        <span key={rate}>
          {t(RATE_LABELS[rate])} {rateText(before)} → {rateText(after)}
        </span>
      ))}
      {tiers && <span>{t('prices.tiersChanged')}</span>}
    </Group>
  );
}
