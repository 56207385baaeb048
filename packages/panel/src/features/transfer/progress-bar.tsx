import { Box, Group } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';
import type { Bar } from './upload-view.ts';

/** A bar with its name and state. Indeterminate without a percentage. */
export function ProgressBar({ label, bar }: { readonly label: string; readonly bar: Bar }) {
  const { t } = useText();
  const { state, percent } = bar;
  const word = percent !== null ? `${percent}%` : state === 'running' ? t('transfer.working') : t('transfer.waiting');
  const text = state === 'halted' && percent === null ? t('transfer.stopped') : word;
  return (
    <Group wrap="nowrap" mb={-4}>
      <span className="small ink-2">{label}</span>
      <div
        className="bar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
        {...(percent === null ? {} : { 'aria-valuenow': percent })}
        data-state={state}
        data-unknown={percent === null ? '' : undefined}
      >
        {percent !== null && <i style={{ width: `${percent}%` }} />}
      </div>
      <Box component="span" miw={56} ta="right" className="small medium">
        {text}
      </Box>
    </Group>
  );
}
