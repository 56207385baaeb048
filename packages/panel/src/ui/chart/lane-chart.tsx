import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { themeStore } from '../../platform/preferences/theme.ts';
import { useStore } from '../../platform/store.ts';
import { usePrinting } from '../use-printing.ts';
import { readChartColors } from './colors.ts';
import { bucketSpan, type TimeSpan } from './drag.ts';
import { bucketName } from './names.ts';
import { createLanePlot, type LanePlot } from './plot.ts';
import { timeTicks } from './time-ticks.ts';
import { ChartTooltip, spokenBucket } from './tooltip.tsx';
import type { AxisTick, ChartBucket, ChartData } from './types.ts';
import { chartView } from './view.ts';

/** Labels of the time axis instead of times, such as offsets of compared ranges. */
export interface ChartAxis {
  readonly ticks: (fromMs: number, toMs: number, most: number) => readonly AxisTick[];
  readonly name: (bucket: ChartBucket) => string;
}

interface LaneChartProps {
  /** Accessible name. */
  readonly label: string;
  readonly data: ChartData;
  /** px. */
  readonly height: number;
  readonly axis?: ChartAxis | undefined;
  /** Click or Enter on a bucket. */
  readonly onBucket?: ((index: number) => void) | undefined;
  /** Drag over buckets, or Shift with the arrow keys and Enter: from the start of the first to the end of the last. */
  readonly onRange?: ((fromMs: number, toMs: number) => void) | undefined;
  readonly onToggleTable?: (() => void) | undefined;
}

/**
 * Lanes of bars and lines over one time axis with one cursor. Arrow keys move the cursor and announce its values. Most pages use
 * `ChartPanel`, which adds header, legend, table view, states and files.
 */
export function LaneChart({ label, data, height, axis, onBucket, onRange, onToggleTable }: LaneChartProps) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const theme = useStore(themeStore);
  const { ref, width } = useElementSize();
  const root = useRef<HTMLDivElement>(null);
  const plot = useRef<LanePlot | null>(null);
  const hintId = useId();
  const [index, setIndex] = useState(-1);
  const [spoken, setSpoken] = useState('');
  const named = useMemo<ChartAxis>(
    () =>
      axis ?? {
        ticks: (fromMs, toMs, most) => timeTicks(fromMs, toMs, most, zone, locale),
        name: (bucket) => bucketName(bucket, zone, locale),
      },
    [axis, zone, locale],
  );
  const printing = usePrinting();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme and paper change what is read.
  const colors = useMemo(readChartColors, [theme, printing]);
  const view = useMemo(
    () => (width > 0 ? chartView(data, Math.floor(width), height, named.ticks) : null),
    [data, width, height, named],
  );
  const pick = useRef(onBucket);
  /** Where a selection by keys began; null = none. */
  const anchor = useRef<number | null>(null);
  const spanOf = (one: number, other: number): TimeSpan | null => {
    const [first, last] = [data.buckets[one], data.buckets[other]];
    return first === undefined || last === undefined ? null : bucketSpan(data, first.startMs, last.startMs);
  };
  const select = (span: TimeSpan | null) => {
    if (span !== null) onRange?.(span.fromMs, span.toMs);
  };
  const selected = useRef(select);
  const canDrag = useRef(onRange !== undefined);
  const pointed = useRef(index);
  /** Where the keys moved the cursor last, −1 = nowhere: they go on there when the chart or the window has the focus again. */
  const byKeys = useRef(-1);
  useEffect(() => {
    pick.current = onBucket;
    selected.current = select;
    canDrag.current = onRange !== undefined;
    pointed.current = index;
  });

  useEffect(() => {
    if (view === null || root.current === null) return;
    if (plot.current !== null) {
      plot.current.update(view, colors);
      return;
    }
    plot.current = createLanePlot({
      root: root.current,
      view,
      colors,
      onIndex: setIndex,
      onPick: (picked) => pick.current?.(picked),
      onRange: (span) => selected.current(span),
      canDrag: () => canDrag.current,
    });
    // Keys may come before the first drawing.
    if (pointed.current >= 0) plot.current.point(pointed.current);
  }, [view, colors]);
  useEffect(
    () => () => {
      plot.current?.destroy();
      plot.current = null;
    },
    [],
  );

  const last = data.buckets.length - 1;
  const point = (next: number) => {
    setIndex(next);
    plot.current?.point(next);
  };
  const unmark = () => {
    anchor.current = null;
    plot.current?.mark(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = index < 0 ? byKeys.current : index;
    const moves: Record<string, number> = {
      ArrowLeft: at < 0 ? last : Math.max(0, at - 1),
      ArrowRight: at < 0 ? 0 : Math.min(last, at + 1),
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      byKeys.current = next;
      point(next);
      if (event.shiftKey && onRange !== undefined) {
        anchor.current ??= at < 0 ? next : at;
        plot.current?.mark(spanOf(anchor.current, next));
      } else unmark();
      setSpoken(spokenBucket(data, next, named.name));
    } else if (event.key === 'Enter' && index >= 0 && anchor.current !== null) {
      select(spanOf(anchor.current, index));
      unmark();
    } else if (event.key === 'Enter' && index >= 0 && onBucket !== undefined) onBucket(index);
    else if (event.key === 't' && onToggleTable !== undefined) onToggleTable();
    else if (event.key === 'Escape' && index >= 0) {
      byKeys.current = -1;
      point(-1);
      unmark();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: no element of the language stands for a chart.
    <div
      ref={ref}
      className="chart"
      role="group"
      aria-label={label}
      aria-describedby={hintId}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its cursor.
      tabIndex={0}
      style={{ height }}
      onKeyDown={onKeyDown}
      onBlur={() => {
        point(-1);
        unmark();
      }}
      onFocus={(event) => {
        if (byKeys.current >= 0 && event.currentTarget.matches(':focus-visible')) point(byKeys.current);
      }}
      {...(onBucket === undefined ? {} : { 'data-pick': '' })}
    >
      <div ref={root} />
      {view !== null && <ChartTooltip view={view} index={index} name={named.name} zone={axis ? '' : zone} />}
      <span id={hintId} className="visually-hidden">
        {t(onRange === undefined ? 'chart.keys' : 'chart.keysAndRange')}
      </span>
      <span className="visually-hidden" aria-live="polite">
        {spoken}
      </span>
    </div>
  );
}
