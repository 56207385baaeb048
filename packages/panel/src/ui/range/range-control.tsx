import { Drawer, Popover } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { hourAndMinute } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { RANGE_LABELS, rangeText } from '../../platform/range/labels.ts';
import {
  type CompareChoice,
  namedRange,
  type RangeChoice,
  type RangeName,
  type ResolvedRange,
  resolveRange,
  shiftRange,
} from '../../platform/range/range.ts';
import type { RangeRules } from '../../platform/range/range-url.ts';
import { Button } from '../controls/button.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { Icon } from '../icons.tsx';
import { useShortcuts } from '../shortcuts.ts';
import { usePhone } from '../use-phone.ts';
import { CompareControl } from './compare-control.tsx';
import { RangeForm } from './range-form.tsx';

/** Maximum number of range buttons, the first of the rules; more do not fit beside the search. */
const MAX_IN_BAR = 6;
const MAX_WHEN_NARROW = 4;

interface RangeControlProps {
  readonly rules: RangeRules;
  readonly value: RangeChoice;
  readonly onChange: (range: RangeChoice) => void;
  readonly compare?: CompareChoice;
  readonly onCompare?: (compare: CompareChoice) => void;
  /** Buttons for the equal range before and after; `[` and `]` work without them too. */
  readonly steps?: boolean;
  /** Shows the time zone of days and times, where no header does. */
  readonly zoneShown?: boolean;
  /** The page has its own sheet for the controls that a narrow screen leaves out. */
  readonly ownSheet?: boolean;
}

/**
 * Range of a page: named ones, any span in the zone of the panel, the equal range before and after, a range to compare with.
 *
 *     const RULES: RangeRules = { names: ['24h', 'today', '7d', '30d'], fallback: '24h', parameter: 'time_range', rolling: true };
 *     const range = readRange(url, RULES);              // ui/range/range-url.ts, which writes it as well
 *     <RangeControl rules={RULES} value={range} onChange={setRange} compare={compare} onCompare={setCompare} steps />
 *     const resolved = resolveRange(range, client.now(), zone, RULES.rolling);   // at every refresh
 */
export function RangeControl(props: RangeControlProps) {
  const { rules, value, onChange, compare, onCompare, steps = false, zoneShown = false, ownSheet = false } = props;
  const { t } = useText();
  const { client } = useServices();
  const zone = useTimeZone();
  const narrow = usePhone();
  const resolved = resolveRange(value, client.now(), zone, rules.rolling);
  const most = narrow ? MAX_WHEN_NARROW : MAX_IN_BAR;
  const first: readonly RangeName[] = rules.names.slice(0, most);
  const sheet = narrow && ownSheet;
  // On pages without step buttons the last button is replaced by the chosen range.
  const inBar = sheet && !first.includes(value.name) ? [...first.slice(0, -1), value.name] : first;
  const neighbours = {
    before: shiftRange(resolved, -1, client.now(), zone),
    after: shiftRange(resolved, 1, client.now(), zone),
  };
  const go = (next: RangeChoice | null) => {
    if (next !== null) onChange(next);
  };
  useShortcuts({ '[': () => go(neighbours.before), ']': () => go(neighbours.after) });
  return (
    <div className="range-control" {...(ownSheet ? {} : { 'data-whole': '' })}>
      <Segmented
        label={t('range.label')}
        value={value.name}
        options={inBar.map((name) => ({ value: name, label: t(RANGE_LABELS[name]) }))}
        onChange={(name) => {
          if (name !== 'custom') onChange(namedRange(name));
        }}
      >
        {!sheet && (
          <MoreRanges
            narrow={narrow}
            value={value}
            resolved={resolved}
            own={!inBar.includes(value.name)}
            names={narrow ? rules.names : rules.names.filter((name) => !inBar.includes(name))}
            onChoose={onChange}
          />
        )}
      </Segmented>
      {value.name === 'today' && rules.names.includes('24h') && isMorning(client.now(), zone) && (
        <Button kind="quiet" onClick={() => onChange(namedRange('24h'))}>
          {t('range.rather24h')}
        </Button>
      )}
      {steps && (
        <span className="row" style={{ gap: 4 }}>
          <Button
            square
            aria-label={t('range.before')}
            disabled={neighbours.before === null}
            onClick={() => go(neighbours.before)}
          >
            <Icon name="chevronLeft" />
          </Button>
          <Button
            square
            aria-label={t('range.after')}
            disabled={neighbours.after === null}
            onClick={() => go(neighbours.after)}
          >
            <Icon name="chevronRight" />
          </Button>
        </span>
      )}
      {onCompare !== undefined && (
        <CompareControl value={compare ?? { kind: 'none' }} range={resolved} onChange={onCompare} />
      )}
      {zoneShown && (
        <span className="small ink-3 nowrap" style={{ alignSelf: 'center' }}>
          {zone}
        </span>
      )}
    </div>
  );
}

/** Before noon, today has little to show yet. */
const isMorning = (nowMs: number, zone: string): boolean => Number(hourAndMinute(nowMs, zone).slice(0, 2)) < 12;

/** Choices that do not fit into the bar; its button shows the range when no button of the bar does. */
function MoreRanges({
  narrow,
  value,
  resolved,
  own,
  names,
  onChoose,
}: {
  readonly narrow: boolean;
  readonly value: RangeChoice;
  readonly resolved: ResolvedRange;
  readonly own: boolean;
  readonly names: readonly Exclude<RangeName, 'custom'>[];
  readonly onChoose: (range: RangeChoice) => void;
}) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const [open, setOpen] = useState(false);
  const form = (
    <RangeForm
      value={value.name}
      resolved={resolved}
      names={names}
      onChoose={(range) => {
        setOpen(false);
        onChoose(range);
      }}
    />
  );
  const button = (
    <button type="button" aria-pressed={own} aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
      {own && value.name === 'custom' ? (
        <span className="range-dates">{rangeText(resolved, zone, locale)}</span>
      ) : (
        t(RANGE_LABELS[own ? value.name : 'custom'])
      )}
    </button>
  );
  if (narrow) {
    return (
      <>
        {button}
        <RangeSheet opened={open} onClose={() => setOpen(false)}>
          {form}
        </RangeSheet>
      </>
    );
  }
  return <RangePopover open={open} onOpen={setOpen} button={button} form={form} />;
}

function RangePopover({
  open,
  onOpen,
  button,
  form,
}: {
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly button: ReactNode;
  readonly form: ReactNode;
}) {
  const { t } = useText();
  return (
    <Popover opened={open} onChange={onOpen} position="bottom-start" width={300} trapFocus returnFocus>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={t('range.custom')}>{form}</Popover.Dropdown>
    </Popover>
  );
}

function RangeSheet({
  opened,
  onClose,
  children,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useText();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="bottom"
      size="auto"
      title={t('range.label')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {children}
    </Drawer>
  );
}

/** One button that shows the range and opens all choices: for pages with several ranges. */
export function RangeButton({
  rules,
  value,
  onChange,
  label,
}: Pick<RangeControlProps, 'rules' | 'value' | 'onChange'> & {
  /** Which range it is, for screen readers. */
  readonly label: string;
}) {
  const { t, locale } = useText();
  const { client } = useServices();
  const zone = useTimeZone();
  const [open, setOpen] = useState(false);
  const resolved = resolveRange(value, client.now(), zone, rules.rolling);
  const named = value.name !== 'custom' && value.name !== 'all';
  const text = value.name === 'all' ? t('range.all') : rangeText(resolved, zone, locale);
  return (
    <RangePopover
      open={open}
      onOpen={setOpen}
      button={
        <Button style={{ minWidth: 0 }} aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
          <span className="visually-hidden">{label}: </span>
          <span className="ellipsis">{text}</span>
          {named && <span className="ink-3">{t(RANGE_LABELS[value.name])}</span>}
          <Icon name="chevronDown" />
        </Button>
      }
      form={
        <RangeForm
          value={value.name}
          resolved={resolved}
          names={rules.names}
          onChoose={(range) => {
            setOpen(false);
            onChange(range);
          }}
        />
      }
    />
  );
}
