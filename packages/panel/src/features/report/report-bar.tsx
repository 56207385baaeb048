import { BREAKDOWN_KINDS } from '@manager/core/contract/constants';
import { Popover, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ChoiceMenu } from '../../ui/controls/choice-menu.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { dayOf, isDay, monthName, type Period, recentMonths, resolvePeriod, shiftPeriod } from './period.ts';
import { KIND_LABELS, MEASURE_LABELS } from './report-columns.tsx';
import { REPORT_MEASURES, type ReportSearch, withRows } from './report-search.ts';
import type { OpenReport } from './use-report.ts';

/** Months of the menu; earlier ones are reached by the steps. */
const MONTHS = 24;
const NO_PARTS = 'none';

interface BarProps {
  readonly search: OpenReport;
  readonly onChange: (next: Partial<ReportSearch>) => void;
}

interface ReportBarProps extends BarProps {
  /** Opens the filters. */
  readonly filter: ReactNode;
  /** What a narrow header has no room for. */
  readonly commands: ReactNode;
}

/** What the report is about: one line of controls. */
export function ReportBar({ search, onChange, filter, commands }: ReportBarProps) {
  const { t } = useText();
  const { by, parts, measure } = search;
  return (
    <search className="filter-bar">
      <PeriodControl search={search} onChange={onChange} />
      <ChoiceMenu
        title={t('report.by')}
        value={by}
        choices={BREAKDOWN_KINDS}
        name={(kind) => t(KIND_LABELS[kind as typeof by])}
        onChange={(kind) => onChange(withRows(search, kind as typeof by))}
      />
      <ChoiceMenu
        title={t('report.parts')}
        value={parts ?? NO_PARTS}
        choices={[...BREAKDOWN_KINDS.filter((kind) => kind !== by), NO_PARTS]}
        name={(kind) => (kind === NO_PARTS ? t('report.noParts') : t(KIND_LABELS[kind as typeof by]))}
        onChange={(kind) => onChange({ parts: kind === NO_PARTS ? null : (kind as typeof by) })}
      />
      <Segmented
        label={t('report.measure')}
        value={measure}
        options={REPORT_MEASURES.map((value) => ({ value, label: t(MEASURE_LABELS[value]) }))}
        onChange={(next) => onChange({ measure: next })}
      />
      {filter}
      {commands}
    </search>
  );
}

function PeriodControl({ search: { period, zone }, onChange }: BarProps) {
  const { t, locale } = useText();
  const { client } = useServices();
  const nowMs = client.now();
  const next = shiftPeriod(period, 1, nowMs, zone);
  const go = (to: Period | null) => {
    if (to !== null) onChange({ period: to });
  };
  const back = () => go(shiftPeriod(period, -1, nowMs, zone));
  useShortcuts({ '[': back, ']': () => go(next) });
  const months = recentMonths(nowMs, zone, MONTHS);
  const month = period.kind === 'month' ? period.month : '';
  return (
    <span className="row" style={{ gap: 4 }}>
      <Button square aria-label={t('report.earlier')} onClick={back}>
        <Icon name="chevronLeft" />
      </Button>
      <ChoiceMenu
        title={t('report.month')}
        value={month}
        choices={months.includes(month) || month === '' ? months : [...months, month]}
        name={(value) => (value === '' ? '' : monthName(value, locale))}
        onChange={(value) => onChange({ period: { kind: 'month', month: value } })}
      />
      <DaysButton key={JSON.stringify(period)} search={{ period, zone }} onChange={onChange} />
      <Button square aria-label={t('report.later')} disabled={next === null} onClick={() => go(next)}>
        <Icon name="chevronRight" />
      </Button>
    </span>
  );
}

/** Any days, from the first to the last. */
function DaysButton({
  search: { period, zone },
  onChange,
}: {
  readonly search: { readonly period: Period; readonly zone: string };
  readonly onChange: BarProps['onChange'];
}) {
  const { t } = useText();
  const { client } = useServices();
  const { fromMs, toMs } = resolvePeriod(period, client.now(), zone);
  const [open, setOpen] = useState(false);
  const [from, setFrom] = useState(dayOf(fromMs, zone));
  const [to, setTo] = useState(dayOf(toMs - 1, zone));
  const valid = isDay(from) && isDay(to) && from <= to;
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={260} trapFocus returnFocus>
      <Popover.Target>
        <Button
          aria-pressed={period.kind === 'days'}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => setOpen(!open)}
        >
          {period.kind === 'days' ? `${period.from} – ${period.to}` : t('report.days')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('report.days')}>
        <Stack
          component="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (valid) onChange({ period: { kind: 'days', from, to } });
          }}
        >
          <TextInput
            size="sm"
            type="date"
            label={t('report.firstDay')}
            value={from}
            error={!valid}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            size="sm"
            type="date"
            label={t('report.lastDay')}
            value={to}
            error={!valid && t('report.daysWrong')}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Button type="submit" disabled={!valid}>
            {t('range.apply')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
