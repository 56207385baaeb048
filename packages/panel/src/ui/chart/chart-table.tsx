import { useMemo } from 'react';
import { NONE } from '../../platform/format/format.ts';
import { isoWithOffset } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { DataTable } from '../table/data-table.tsx';
import type { ExportColumn } from '../table/export.ts';
import type { TableColumn } from '../table/types.ts';
import { bucketName } from './names.ts';
import type { ChartBucket, ChartData, ChartSeries } from './types.ts';

export interface ChartRow {
  readonly index: number;
  readonly bucket: ChartBucket;
}

export function chartRows(data: ChartData): readonly ChartRow[] {
  return data.buckets.map((bucket, index) => ({ index, bucket }));
}

const seriesValue = (series: ChartSeries, row: ChartRow): number | null => series.values[row.index] ?? null;

/** Columns of a chart in files: times with the zone's offset, unformatted numbers. */
export function chartExport(data: ChartData, zone: string): readonly ExportColumn<ChartRow>[] {
  return [
    { name: 'from', value: (row) => isoWithOffset(row.bucket.startMs, zone) },
    { name: 'to', value: (row) => isoWithOffset(row.bucket.endMs, zone) },
    { name: 'complete', value: (row) => row.bucket.partial !== true },
    ...data.lanes.flatMap((lane) =>
      lane.series.map((series) => ({ name: series.id, value: (row: ChartRow) => seriesValue(series, row) })),
    ),
  ];
}

/** The chart as a table, newest bucket first. */
export function ChartTable({
  label,
  data,
  height,
  name,
}: {
  readonly label: string;
  readonly data: ChartData;
  readonly height: number;
  readonly name?: ((bucket: ChartBucket) => string) | undefined;
}) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const rows = useMemo(() => [...chartRows(data)].reverse(), [data]);
  const columns = useMemo(() => {
    const nameOf = name ?? ((bucket: ChartBucket) => bucketName(bucket, zone, locale));
    const time: TableColumn<ChartRow> = {
      id: 'from',
      label: t('chart.time'),
      width: 176,
      cell: (row) => (
        <>
          {nameOf(row.bucket)}
          {row.bucket.partial === true && <span className="ink-3"> · {t('chart.partial')}</span>}
        </>
      ),
    };
    const series = data.lanes.flatMap((lane) => lane.series);
    return [
      time,
      ...series.map(
        (one, position): TableColumn<ChartRow> => ({
          id: one.id,
          label: one.label,
          width: null,
          minWidth: 88,
          right: true,
          priority: position,
          cell: (row) => {
            const value = seriesValue(one, row);
            return value === null ? <span className="ink-3">{NONE}</span> : one.format(value);
          },
        }),
      ),
    ];
  }, [data, name, t, zone, locale]);
  const series = data.lanes.flatMap((lane) => lane.series);
  const [first, ...others] = series;
  const text = (one: ChartSeries, row: ChartRow): string => {
    const value = seriesValue(one, row);
    return value === null ? NONE : one.format(value);
  };
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      rowName={(row) => bucketName(row.bucket, zone, locale)}
      maxHeight={height}
      twoLineBelow={0}
      narrow={(row) => ({
        main: bucketName(row.bucket, zone, locale),
        mainBelow: others.map((one) => `${one.label} ${text(one, row)}`).join(' · '),
        value: first === undefined ? NONE : text(first, row),
        valueBelow: first?.label,
      })}
    />
  );
}

const rowKey = (row: ChartRow): string => String(row.bucket.startMs);
