import { useText } from '../../platform/i18n/index.ts';
import { type Change, changeNumber, type GoodDirection, verdictOfChange } from '../../platform/wording/changes.ts';

/** `+16.9%`; measures with a good direction show by color and text whether that is better. */
export function ChangeText({ change, good = null }: { readonly change: Change; readonly good?: GoodDirection }) {
  const { t } = useText();
  if (change.kind === 'none') return null;
  if (change.kind === 'new') return <span className="tag">{t('change.new')}</span>;
  const verdict = verdictOfChange(change, good);
  const tone = verdict === null ? 'ink-3' : verdict === 'better' ? 'tone-ok' : 'tone-bad';
  return (
    <small className={`change ${tone}`}>
      {changeNumber(change)}
      {verdict !== null && ` ${t(verdict === 'better' ? 'change.better' : 'change.worse')}`}
    </small>
  );
}
