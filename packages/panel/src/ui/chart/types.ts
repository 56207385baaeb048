/** Colors a series may have: tokens of `ui/styles/tokens.css` without the dashes. */
export type ChartColor =
  | `series-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`
  | 'series-1-soft'
  | 'bad-fill'
  | 'warn-fill'
  | 'bar'
  | 'line-strong';

export interface ChartBucket {
  /** ms, half open. */
  readonly startMs: number;
  readonly endMs: number;
  /** Incomplete: the range or the present ends inside it. Drawn dashed and left out of peaks. */
  readonly partial?: boolean;
}

/** A time in which events may be missing. */
export interface ChartGap {
  readonly fromMs: number;
  readonly toMs: number;
  /** What happened, one sentence. */
  readonly text: string;
  /** Ids of the affected series, where several times share the axis; absent = all. Other series continue through it. */
  readonly series?: readonly string[];
}

export interface ChartSeries {
  readonly id: string;
  readonly label: string;
  readonly color: ChartColor;
  /** Bars for amounts per bucket (stacked within a lane), lines for levels. */
  readonly kind: 'bars' | 'line';
  /** One per bucket; null = unknown, a line breaks there. 0 is a value. */
  readonly values: readonly (number | null)[];
  /** Exact value in tooltip and table. */
  readonly format: (value: number) => string;
  /** Dash pattern in px, which distinguishes series without color. See `seriesStyle`. */
  readonly dash?: readonly number[];
  /** 2 px instead of 1.5. */
  readonly primary?: boolean;
}

/** A plot with its own scale, on the time axis all lanes share. */
export interface ChartLane {
  readonly id: string;
  /** Above the lane, with its unit; '' where the panel's title has it. */
  readonly title: string;
  /** Short form of a value for the three labels of the scale: `2.4K`. */
  readonly axis: (value: number) => string;
  /** Share of the height compared with the other lanes, default 1. */
  readonly weight?: number;
  /** Counts: no label between two whole numbers. */
  readonly whole?: boolean;
  /** Largest possible value, such as 1 for shares. */
  readonly limit?: number;
  readonly series: readonly ChartSeries[];
}

/** Everything a chart shows. Keep it the same object while nothing changes. */
export interface ChartData {
  readonly fromMs: number;
  readonly toMs: number;
  /** In order, without overlap. */
  readonly buckets: readonly ChartBucket[];
  readonly lanes: readonly ChartLane[];
  readonly gaps?: readonly ChartGap[];
  /** The present, marked when inside. */
  readonly nowMs?: number;
}

export interface AxisTick {
  readonly atMs: number;
  readonly label: string;
}
