import { type ReactNode, useMemo, useState } from 'react';
import type { DataSource } from '../../platform/api/data-source.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../controls/button.tsx';
import { SourceAge, SourceView } from '../feedback/source-view.tsx';
import { EmptyState } from '../feedback/states.tsx';
import { Icon } from '../icons.tsx';
import { ExportMenu } from '../table/export-menu.tsx';
import { toggled } from '../table/rows.ts';
import { usePhone } from '../use-phone.ts';
import { ChartTable, chartExport, chartRows } from './chart-table.tsx';
import { firstLines, highlight, isCrowded } from './highlight.ts';
import { type ChartAxis, LaneChart } from './lane-chart.tsx';
import { ChartLegend } from './legend.tsx';
import type { ChartData } from './types.ts';

const PHONE_HEIGHT = 220;

interface ChartPanelProps {
  readonly title: string;
  /** Beside the title: unit and bucket, "per hour". */
  readonly unit?: ReactNode;
  /** Keep its data the same object while nothing changes. */
  readonly source: DataSource<ChartData>;
  /** Height of the drawing on a wide screen, px. */
  readonly height?: number;
  /** Height on a phone, px; for more lanes than fit into the usual height. */
  readonly phoneHeight?: number;
  readonly empty: { readonly title: string; readonly text: ReactNode; readonly action?: ReactNode };
  readonly errorTitle: string;
  readonly errorScope?: string;
  readonly unsupported?: { readonly title: string; readonly text: ReactNode };
  /** Right end of the header, before the table switch. */
  readonly actions?: ReactNode;
  /** Name of exported files; absent = no export. */
  readonly exportName?: string;
  /** false where another chart beside it has the same legend. */
  readonly legend?: boolean;
  /** Requests behind a series: then the legend lists all of them, as links to request monitoring. */
  readonly legendLink?: ((id: string) => UrlSearch) | undefined;
  readonly onBucket?: (index: number) => void;
  /** A dragged range of whole buckets; the range of the page moves there. */
  readonly onRange?: ((fromMs: number, toMs: number) => void) | undefined;
  readonly axis?: ChartAxis;
}

/**
 * A panel with a chart in its five states, its legend, a table view and files.
 *
 *     const data = useMemo<ChartData>(() => ({
 *       fromMs, toMs, nowMs, buckets: chartBuckets(timeline, range, nowMs), gaps: chartGaps(gaps, range, nowMs, t),
 *       lanes: [
 *         { id: 'requests', title: t('…'), axis: formatAxis, whole: true, weight: 3, series: [
 *           { id: 'requests', label: t('…'), color: FIXED_COLORS.requests, kind: 'bars', values, format: formatCount }] },
 *         …
 *       ] }), […]);
 *     <ChartPanel title={t('…')} unit={t('…')} source={…} empty={…} errorTitle={t('…')} exportName="traffic" />
 */
export function ChartPanel(props: ChartPanelProps) {
  const { t } = useText();
  const zone = useTimeZone();
  const { title, unit, source, empty, errorTitle, errorScope, unsupported, exportName, axis } = props;
  const phone = usePhone();
  const phoneHeight = props.phoneHeight ?? Math.min(PHONE_HEIGHT, props.height ?? PHONE_HEIGHT);
  const height = phone ? phoneHeight : (props.height ?? 240);
  const [asTable, setAsTable] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const { data } = source;
  const crowded = data !== undefined && isCrowded(data);
  const kept = useMemo(() => chosen ?? (data === undefined ? new Set<string>() : firstLines(data)), [chosen, data]);
  const drawn = useMemo(() => (data === undefined ? undefined : highlight(data, kept)), [data, kept]);
  const switchName = asTable ? t('chart.asChart') : t('chart.asTable');
  const filled = data !== undefined && data.buckets.length > 0;
  return (
    <section className="panel chart-panel" aria-busy={source.busy} aria-label={title}>
      <div className="chart-head">
        <h2>{title}</h2>
        {unit !== undefined && <span className="tiny ink-3 ellipsis">{unit}</span>}
        <SourceAge source={source} />
        <span className="spacer" />
        {filled && props.legend !== false && (
          <ChartLegend
            data={data}
            linkOf={props.legendLink}
            {...(crowded ? { chosen: kept, onChoose: (id: string) => setChosen(toggled(kept, id)) } : {})}
          />
        )}
        {props.actions}
        {exportName !== undefined && (
          <ExportMenu
            name={exportName}
            columns={data === undefined ? [] : chartExport(data, zone)}
            rows={data === undefined ? [] : chartRows(data)}
            square
          />
        )}
        <Button
          kind="quiet"
          square
          aria-label={switchName}
          aria-pressed={asTable}
          disabled={!filled}
          onClick={() => setAsTable(!asTable)}
        >
          <Icon name={asTable ? 'analytics' : 'table'} />
        </Button>
      </div>
      <SourceView
        source={source}
        loading={
          <div
            className="skeleton"
            style={{ height, margin: '0 12px 12px' }}
            role="status"
            aria-label={t('table.loading')}
          />
        }
        errorTitle={errorTitle}
        errorScope={errorScope}
        unsupported={unsupported}
      >
        {(loaded) => {
          if (loaded.buckets.length === 0) return <EmptyState {...empty} />;
          if (asTable) return <ChartTable label={title} data={loaded} height={height} name={axis?.name} />;
          return (
            <div style={{ paddingBottom: 8 }}>
              <LaneChart
                label={title}
                data={drawn ?? loaded}
                height={height}
                axis={axis}
                onBucket={props.onBucket}
                onRange={props.onRange}
                onToggleTable={() => setAsTable(true)}
              />
            </div>
          );
        }}
      </SourceView>
    </section>
  );
}
