import type uPlot from 'uplot';
import { bucketAt } from './buckets.ts';
import type { ChartData } from './types.ts';
import type { ChartView } from './view.ts';

/** px that a pointer moves before it is a drag and no click. */
const DRAG_PX = 6;

/** A selected part of the time axis, ms, half open. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The whole buckets from one instant to another. Where there is no bucket, because nothing happened, those that would be there:
 * as long as the others. The present and the range of the chart end it.
 */
export function bucketSpan(data: ChartData, oneMs: number, otherMs: number): TimeSpan | null {
  const [first] = data.buckets;
  if (first === undefined) return null;
  const length = first.endMs - first.startMs;
  const bucketOf = (ms: number): TimeSpan => {
    const bucket = data.buckets[bucketAt(data.buckets, ms)];
    if (bucket !== undefined && ms >= bucket.startMs && ms < bucket.endMs) {
      return { fromMs: bucket.startMs, toMs: bucket.endMs };
    }
    const fromMs = first.startMs + Math.floor((ms - first.startMs) / length) * length;
    return { fromMs, toMs: fromMs + length };
  };
  const end = Math.min(data.toMs, Math.ceil(data.nowMs ?? data.toMs));
  const fromMs = Math.max(data.fromMs, bucketOf(Math.min(oneMs, otherMs)).fromMs);
  const toMs = Math.min(end, bucketOf(Math.max(oneMs, otherMs)).toMs);
  return fromMs < toMs ? { fromMs, toMs } : null;
}

/** A mark over a part of the time axis; null removes it. */
export type MarkSpan = (view: ChartView, span: TimeSpan | null) => void;

/** Its own element: the library's selection follows the library's drags. */
export function createMark(plot: uPlot): MarkSpan {
  const mark = document.createElement('div');
  mark.className = 'chart-mark';
  mark.hidden = true;
  plot.over.append(mark);
  return (view, span) => {
    mark.hidden = span === null;
    if (span === null) return;
    const inside = (ms: number) => Math.max(0, Math.min(view.plot.width, view.xOf(ms) - view.plot.left));
    const [left, right] = [inside(span.fromMs), inside(span.toMs)];
    mark.style.left = `${left}px`;
    mark.style.width = `${right - left}px`;
  };
}

interface DragOptions {
  readonly plot: uPlot;
  readonly mark: MarkSpan;
  readonly view: () => ChartView;
  readonly onRange: (span: TimeSpan) => void;
  /** Whether anything follows from a drag. */
  readonly enabled: () => boolean;
  readonly onClick: () => void;
}

/** A drag over a plot selects whole buckets; a press without one is a click. Escape cancels it. */
export function listenToDrags({ plot, mark, view, onRange, enabled, onClick }: DragOptions): void {
  let startX: number | null = null;
  let dragged = false;

  const positionOf = (event: PointerEvent) => event.clientX - plot.over.getBoundingClientRect().left;
  const spanTo = (x: number): TimeSpan | null => {
    const { data, plot: area } = view();
    const instant = (position: number) =>
      data.fromMs + (Math.max(0, Math.min(area.width, position)) / area.width) * (data.toMs - data.fromMs);
    return bucketSpan(data, instant(startX ?? x), instant(x));
  };
  const stop = () => {
    startX = null;
    window.removeEventListener('keydown', onEscape, true);
    mark(view(), null);
  };
  function onEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    stop();
  }

  plot.over.addEventListener('pointerdown', (event) => {
    dragged = false;
    if (!enabled() || event.button !== 0 || !event.isPrimary) return;
    startX = positionOf(event);
    plot.over.setPointerCapture(event.pointerId);
    window.addEventListener('keydown', onEscape, true);
  });
  plot.over.addEventListener('pointermove', (event) => {
    if (startX === null) return;
    const x = positionOf(event);
    dragged ||= Math.abs(x - startX) >= DRAG_PX;
    if (dragged) mark(view(), spanTo(x));
  });
  plot.over.addEventListener('pointerup', (event) => {
    if (startX === null) return;
    const span = spanTo(positionOf(event));
    stop();
    if (dragged && span !== null) onRange(span);
  });
  plot.over.addEventListener('pointercancel', stop);
  plot.over.addEventListener('click', () => {
    if (!dragged) onClick();
  });
}
