import { formatCount } from '../../platform/format/format.ts';
import { maskKey } from '../../platform/format/mask-key.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { hiddenChanges } from './model/hidden-changes.ts';
import type { Difference } from './model/review.ts';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** Changed lines with those around them; keys are masked as everywhere. */
export function DifferenceView({
  difference,
  secrets,
}: {
  readonly difference: Difference;
  /** The longest first. */
  readonly secrets: readonly string[];
}) {
  const { t } = useText();
  const masker = useMasker();
  const shown = (text: string) =>
    masker.on ? masker.log(secrets.reduce((line, secret) => line.replaceAll(secret, maskKey(secret)), text)) : text;
  if (difference.hunks.length === 0) return <p className="ink-2">{t('config.diffSame')}</p>;
  return (
    <>
      <p className="small ink-2">
        {t('config.diffCount', { added: formatCount(difference.added), removed: formatCount(difference.removed) })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <section className="config-diff" aria-label={t('config.diffLabel')} tabIndex={0}>
        {difference.hunks.map(({ line, lines }) => {
          const hidden = hiddenChanges(lines, shown);
          return (
            <div key={line} className="config-hunk">
              <div className="config-hunk-head ink-3">{t('config.conflictLine', { line: formatCount(line) })}</div>
              {lines.map(({ id, kind, text }) => (
                <div key={id} data-kind={kind}>
                  <span>{SIGNS[kind]}</span>
                  {shown(text) || ' '}
                  {hidden.has(id) && ` (${t('config.changed').toLowerCase()})`}
                </div>
              ))}
            </div>
          );
        })}
      </section>
      {difference.hidden > 0 && (
        <p className="small ink-2">{t('config.diffHidden', { count: formatCount(difference.hidden) })}</p>
      )}
    </>
  );
}
