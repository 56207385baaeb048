import { Group, SimpleGrid } from '@mantine/core';
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

/** The steps from a large database to a small one. Each one is started manually. */
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
      <SimpleGrid
        component="ol"
        type="container"
        cols={wide ? { base: 1, '900px': 5 } : 1}
        spacing="xl"
        verticalSpacing="md"
        className="panel-body"
      >
        {STEPS.map(([name, text], index) => (
          <Group component="li" wrap="nowrap" align="flex-start" key={name}>
            <span className="number" aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <b>{t(name)}</b>
              <p className="ink-2">
                <Marked text={t(text)} />
              </p>
            </div>
          </Group>
        ))}
      </SimpleGrid>
    </section>
  );
}
