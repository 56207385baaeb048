import { Fragment, type KeyboardEvent, useRef, useState } from 'react';
import { weekdayName } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import type { HeatMeasure } from '../analytics-search.ts';
import { type HeatCell, HOURS } from './heat-view.ts';

const STEPS: Readonly<Record<string, readonly [hours: number, days: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const two = (hour: number): string => String(hour).padStart(2, '0');

/** `Monday 09:00 – 10:00` */
export const cellName = ({ weekday, hour }: Pick<HeatCell, 'weekday' | 'hour'>, locale: string): string =>
  `${weekdayName(weekday, locale, 'long')} ${two(hour)}:00 – ${two(hour + 1)}:00`;

export const cellKey = ({ weekday, hour }: Pick<HeatCell, 'weekday' | 'hour'>): string => `${weekday}-${hour}`;

/** Hours of the week; the square in a cell grows with its value, besides the color. Arrow keys move through it. */
export function HeatGrid({
  rows,
  measure,
  format,
  openKey,
  onOpen,
}: {
  readonly rows: readonly (readonly HeatCell[])[];
  readonly measure: HeatMeasure;
  readonly format: (value: number) => string;
  readonly openKey: string;
  readonly onOpen: (cell: HeatCell) => void;
}) {
  const { t, locale } = useText();
  const grid = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<readonly [hour: number, row: number]>([0, 0]);
  const walk = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const hour = Math.min(Math.max(active[0] + step[0], 0), HOURS - 1);
    const row = Math.min(Math.max(active[1] + step[1], 0), rows.length - 1);
    setActive([hour, row]);
    grid.current?.querySelector<HTMLElement>(`[data-cell="${hour}-${row}"]`)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons inside.
    <div className="heat-grid" ref={grid} onKeyDown={walk} data-measure={measure}>
      <span className="heat-corner" />
      {Array.from({ length: HOURS }, (_, hour) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hours of the day.
        <span key={hour} className="heat-hour tiny ink-3" aria-hidden="true">
          {two(hour)}
        </span>
      ))}
      {rows.map((cells, row) => (
        <Fragment key={cells[0]?.weekday}>
          <span className="heat-day tiny ink-2" aria-hidden="true">
            {weekdayName(cells[0]?.weekday ?? 0, locale, 'short')}
          </span>
          {cells.map((cell) => {
            const text =
              cell.value === null ? t(measure === 'cost' ? 'analytics.noPrice' : 'heat.tooFew') : format(cell.value);
            const name = `${cellName(cell, locale)}: ${text}`;
            const side = cell.intensity > 0 ? 20 + 80 * Math.sqrt(cell.intensity) : 0;
            return (
              <button
                type="button"
                key={cell.hour}
                className="heat-cell"
                data-cell={`${cell.hour}-${row}`}
                tabIndex={cell.hour === active[0] && row === active[1] ? 0 : -1}
                aria-label={name}
                aria-pressed={cellKey(cell) === openKey}
                title={name}
                onFocus={() => setActive([cell.hour, row])}
                onClick={() => onOpen(cell)}
                {...(cell.value === null && cell.sums !== undefined ? { 'data-few': '' } : {})}
              >
                {side > 0 ? <i style={{ height: `${side}%` }} /> : <i className="heat-none" />}
              </button>
            );
          })}
        </Fragment>
      ))}
    </div>
  );
}
