import type { ReactNode } from 'react';
import type { TextKey } from '../../platform/i18n/index.ts';
import { useText } from '../../platform/i18n/index.ts';
import { HeadHint } from '../../ui/display/head-hint.tsx';
import { Marked } from '../../ui/display/marked.tsx';

const STEPS: readonly (readonly [TextKey, TextKey])[] = [
  ['archiveStep.preview', 'archiveStep.previewText'],
  ['archiveStep.archive', 'archiveStep.archiveText'],
  ['archiveStep.verify', 'archiveStep.verifyText'],
  ['archiveStep.delete', 'archiveStep.deleteText'],
  ['archiveStep.compact', 'archiveStep.compactText'],
];

/** The way from a large database to a small one. Each step is asked for; none follows by itself. */
export function StepsPanel({ action, wide = false }: { readonly action?: ReactNode; readonly wide?: boolean }) {
  const { t } = useText();
  return (
    <section className="panel" aria-label={t('archives.steps')}>
      <div className="panel-head">
        <h2>{t('archives.steps')}</h2>
        <HeadHint tiny>{t('archives.stepsHint')}</HeadHint>
        <span className="spacer" />
        {action}
      </div>
      <ol className="panel-body archive-steps" {...(wide ? { 'data-wide': '' } : {})}>
        {STEPS.map(([name, text], index) => (
          <li key={name}>
            <span className="archive-number" aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <b>{t(name)}</b>
              <p className="ink-2">
                <Marked text={t(text)} />
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
