import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Marked } from '../../ui/display/marked.tsx';
import { Status } from '../../ui/display/status.tsx';
import { readinessRows } from './gates.ts';
import { progressPercent } from './runs/run-view.ts';
import type { Maintenance } from './wire.ts';

/** What archiving and deleting need, each with its state and what to do about it. */
export function ReadinessPanel({ maintenance }: { readonly maintenance: Maintenance }) {
  const { t } = useText();
  return (
    <section className="panel" aria-label={t('archives.readiness')}>
      <div className="panel-head">
        <h2>{t('archives.readiness')}</h2>
      </div>
      <ul className="panel-body archive-readiness">
        {readinessRows(maintenance).map(({ key, label, tone, word, progress, hint }) => {
          const percent =
            progress === null ? null : progressPercent({ current: progress.done, total: progress.target });
          return (
            <li key={key}>
              <span>{label === null ? key : t(label)}</span>
              <Status tone={tone}>{t(word)}</Status>
              {progress !== null && (
                <span className="small ink-3 archive-wide">
                  {percent !== null && `${percent}% · `}
                  {t('archivePhase.of', { done: formatCount(progress.done), all: formatCount(progress.target) })}
                </span>
              )}
              {hint !== null && (
                <span className="small ink-2 archive-wide">
                  <Marked text={t(hint)} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
