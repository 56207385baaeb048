import type { Summary } from '@manager/core/contract/monitoring/sections';
import { Group, Popover, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { MonitoringSearch } from '../monitoring-search.ts';
import { explainSum, type SumName } from './sum-explanation.ts';

/** A sum that explains its calculation on click, and links to its requests. */
export function ExplainedValue({
  name,
  label,
  sums,
  scope,
  search,
  onChange,
  children,
}: {
  readonly name: SumName;
  readonly label: string;
  readonly sums: Summary;
  /** Its range and filters, one per line. */
  readonly scope: readonly string[];
  readonly search: MonitoringSearch;
  readonly onChange: (next: Partial<MonitoringSearch>) => void;
  readonly children: ReactNode;
}) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const explanation = explainSum(name, sums, search.status === 'all');
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={300} trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className="stat-link"
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => setOpen(!open)}
        >
          <span className="visually-hidden">{t('why.open', { name: label })}: </span>
          {children}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('why.open', { name: label })}>
        <Stack gap="sm" align="flex-start">
          <h2>{label}</h2>
          <p className="small ink-2">{t(explanation.text)}</p>
          <dl className="why-lines lines" style={{ alignSelf: 'stretch' }}>
            {explanation.lines.map((line) => (
              <Group justify="space-between" wrap="nowrap" key={line.label}>
                <dt className="ink-2">{t(line.label)}</dt>
                <dd>{line.value}</dd>
              </Group>
            ))}
          </dl>
          <ul className="small ink-3 wrap" aria-label={t('why.scope')}>
            {scope.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <Button
            data-autofocus
            onClick={() => {
              setOpen(false);
              onChange(explanation.filter(search));
            }}
          >
            {t(explanation.show, { count: explanation.count, value: formatCount(explanation.count) })}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
