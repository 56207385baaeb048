import { Group } from '@mantine/core';
import type { TextKey } from '../../../platform/i18n/index.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Shape, type StatusTone } from '../../../ui/display/status.tsx';
import type { Run } from '../wire.ts';
import { type Step, type StepName, stepsOf } from './run-view.ts';

export const STEP_LABELS: Readonly<Record<StepName, TextKey>> = {
  previewed: 'archiveStep.preview',
  archived: 'archiveStep.archive',
  verified: 'archiveStep.verify',
  deleted: 'archiveStep.delete',
  compacted: 'archiveStep.compact',
};

export const STEP_TONES: Readonly<Record<Step['state'], StatusTone>> = {
  done: 'ok',
  running: 'wait',
  failed: 'bad',
  next: 'unknown',
  open: 'off',
};

export const STATE_WORDS: Readonly<Record<Step['state'], TextKey>> = {
  done: 'archiveStep.done',
  running: 'archiveStep.running',
  failed: 'archiveStep.failed',
  next: 'archiveStep.next',
  open: 'archiveStep.open',
};

/** All steps of a run in one line, with the state of each. */
export function StepLine({ run }: { readonly run: Run }) {
  const { t } = useText();
  return (
    <Group component="ol" gap="6px 16px" aria-label={t('archives.progress')}>
      {stepsOf(run).map(({ name, state }) => (
        <Group
          component="li"
          gap={6}
          wrap="nowrap"
          key={name}
          {...(state === 'running' ? { 'aria-current': 'step' as const } : {})}
        >
          <Shape tone={STEP_TONES[state]} />
          <span className={state === 'running' || state === 'failed' ? 'bold nowrap' : 'ink-2 nowrap'}>
            {t(STEP_LABELS[name])}
            <span className="visually-hidden"> {t(STATE_WORDS[state])}</span>
          </span>
        </Group>
      ))}
    </Group>
  );
}
