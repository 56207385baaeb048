import { Popover, Stack } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { rangeText } from '../../platform/range/labels.ts';
import { type CompareChoice, type ResolvedRange, resolveCompare } from '../../platform/range/range.ts';
import { Button } from '../controls/button.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { Icon } from '../icons.tsx';
import { SpanForm } from './range-form.tsx';

/** The comparison range: none, the previous one, or any other. */
export function CompareControl({
  value,
  range,
  onChange,
}: {
  readonly value: CompareChoice;
  readonly range: ResolvedRange;
  readonly onChange: (compare: CompareChoice) => void;
}) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const [open, setOpen] = useState(false);
  const compared = resolveCompare(value, range, zone);
  const choose = (next: CompareChoice) => {
    setOpen(false);
    onChange(next);
  };
  const suggested = compared ?? resolveCompare({ kind: 'previous' }, range, zone) ?? range;
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={300} trapFocus returnFocus>
      <Popover.Target>
        <Button aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
          {compared === null
            ? t('range.compare')
            : t('range.comparedWith', { range: rangeText(compared, zone, locale) })}
          <Icon name="chevronDown" />
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('range.compare')}>
        <Stack>
          <Segmented
            label={t('range.compare')}
            value={value.kind === 'custom' ? null : value.kind}
            options={[
              { value: 'none', label: t('range.compareOff') },
              { value: 'previous', label: t('range.comparePrevious') },
            ]}
            onChange={(kind) => choose({ kind })}
          />
          <SpanForm
            initial={suggested}
            about={value.kind}
            onApply={(fromMs, toMs) => choose({ kind: 'custom', fromMs, toMs })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
