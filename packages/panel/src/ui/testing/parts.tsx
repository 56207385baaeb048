import { MantineProvider } from '@mantine/core';
import { StrictMode, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/index.css';
import type { DataSource } from '../../platform/api/data-source.ts';
import { createServices, ServicesContext } from '../../platform/api/services.ts';
import { formatCompact, formatCost, formatCount, formatShare } from '../../platform/format/format.ts';
import { startI18n } from '../../platform/i18n/index.ts';
import { startTheme } from '../../platform/preferences/theme.ts';
import { type CompareChoice, namedRange, type RangeChoice } from '../../platform/range/range.ts';
import type { TableSort } from '../../platform/sort.ts';
import { axisCount } from '../chart/axis-format.ts';
import { ChartPanel } from '../chart/chart-panel.tsx';
import { FIXED_COLORS, seriesStyle } from '../chart/series-style.ts';
import type { ChartData } from '../chart/types.ts';
import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../dialog/dialog.tsx';
import { MANTINE_SETTINGS } from '../mantine-theme.ts';
import { RangeButton, RangeControl } from '../range/range-control.tsx';
import { TablePanel } from '../table/table-panel.tsx';
import type { TableColumn } from '../table/types.ts';
import { RowsScene, StatsScene } from './row-scenes.tsx';

// Scenes of the shared parts with synthetic data, for browser tests; `?scene=` chooses one. Never part of the product.

interface Row {
  readonly name: string;
  readonly provider: string;
  readonly requests: number;
  readonly cost: number | null;
  readonly share: number;
}

const providers = ['claude', 'codex', 'gemini'];
const makeRow = (index: number): Row => ({
  name: index === 3 ? '=cmd|calc' : `model-${index}`,
  provider: providers[index % 3] ?? '',
  requests: (index * 7919) % 50_021,
  cost: index % 11 === 0 ? null : ((index * 31) % 9973) / 100,
  share: (index % 100) / 100,
});

function loaded<T>(data: T): DataSource<T> {
  return { data, error: null, atMs: Date.now(), busy: false, retry: () => {} };
}

const columns: readonly TableColumn<Row>[] = [
  {
    id: 'name',
    label: 'Model',
    width: null,
    cell: (row) => row.name,
    title: (row) => row.name,
    sort: (row) => row.name,
    exported: (row) => row.name,
  },
  { id: 'provider', label: 'Provider', width: 100, priority: 2, cell: (row) => row.provider },
  {
    id: 'requests',
    label: 'Requests',
    width: 92,
    right: true,
    cell: (row) => formatCount(row.requests),
    sort: (row) => row.requests,
    exported: (row) => row.requests,
    total: '1,234',
  },
  {
    id: 'cost',
    label: 'Cost',
    width: 92,
    right: true,
    cell: (row) => formatCost(row.cost),
    sort: (row) => row.cost,
    exported: (row) => row.cost,
    total: '$5.00',
  },
  { id: 'share', label: 'Share', width: 80, right: true, priority: 1, cell: (row) => formatShare(row.share) },
];
const rowKey = (row: Row): string => row.name;
const parts = (row: Row): readonly Row[] => (row.name === 'model-1' ? [makeRow(1_000_001), makeRow(1_000_002)] : []);

function TableScene({ count }: { readonly count: number }) {
  const rows = useMemo(() => Array.from({ length: count }, (_, index) => makeRow(index)), [count]);
  const [sort, setSort] = useState<TableSort>({ column: 'name', direction: 'asc' });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState('');
  return (
    <>
      <output>{`open ${opened}, chosen ${[...selected].join(' ')}`}</output>
      <TablePanel
        title="Models"
        subtitle={formatCount(count)}
        source={loaded(rows)}
        empty={{ title: 'None', text: 'Nothing here.' }}
        errorTitle="Failed"
        exportName="models"
        columns={columns}
        rowKey={rowKey}
        rowName={rowKey}
        narrow={(row) => ({
          main: row.name,
          mainBelow: row.provider,
          value: formatCost(row.cost),
          valueBelow: formatCompact(row.requests),
        })}
        sort={sort}
        onSort={setSort}
        selection={{ keys: selected, onChange: setSelected }}
        below={parts}
        onOpen={(row) => setOpened(row.name)}
        totalLabel="Total"
        keys
      />
    </>
  );
}

const HOUR = 3_600_000;
const midnight = Date.UTC(2026, 7, 27);
const nowMs = midnight + 14.5 * HOUR;
const traffic = [10, 8, 6, 5, 5, 9, 20, 42, 63, 71, 77, 70, 55, 81, 40];
const buckets = traffic.map((_, hour) => ({
  startMs: midnight + hour * HOUR,
  endMs: midnight + (hour + 1) * HOUR,
  ...(hour === 14 ? { partial: true } : {}),
}));
const lanes: ChartData = {
  fromMs: midnight,
  toMs: midnight + 24 * HOUR,
  nowMs,
  buckets,
  gaps: [{ fromMs: midnight + 9.1 * HOUR, toMs: midnight + 9.4 * HOUR, text: 'Nobody listened.' }],
  lanes: [
    {
      id: 'requests',
      title: 'Requests',
      axis: axisCount,
      whole: true,
      weight: 3,
      series: [
        {
          id: 'requests',
          label: 'Requests',
          color: FIXED_COLORS.requests,
          kind: 'bars',
          values: traffic.map((value) => value * 27),
          format: formatCount,
        },
      ],
    },
    {
      id: 'failed',
      title: 'Failed',
      axis: axisCount,
      whole: true,
      series: [
        {
          id: 'failed',
          label: 'Failed',
          color: FIXED_COLORS.failed,
          kind: 'bars',
          values: traffic.map((value, hour) => (hour === 13 ? 121 : Math.round(value / 20))),
          format: formatCount,
        },
      ],
    },
    {
      id: 'tokens',
      title: 'Tokens',
      axis: axisCount,
      whole: true,
      weight: 2,
      series: (['input', 'output', 'reasoning'] as const).map((id, index) => ({
        id,
        label: id,
        color: FIXED_COLORS[id],
        kind: 'bars' as const,
        values: traffic.map((value) => (value * 900_000) / (index * 4 + 1)),
        format: formatCount,
      })),
    },
  ],
};

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
function lines(count: number): ChartData {
  const step = HOUR / 12;
  return {
    fromMs: midnight,
    toMs: midnight + 5_000 * step,
    buckets: Array.from({ length: 5_000 }, (_, index) => ({
      startMs: midnight + index * step,
      endMs: midnight + (index + 1) * step,
      ...(index === 4_999 ? { partial: true } : {}),
    })),
    gaps: [{ fromMs: midnight + 1_000 * step, toMs: midnight + 1_200 * step, text: 'Nobody listened.' }],
    lanes: [
      {
        id: 'latency',
        title: '',
        axis: (value) => `${value} s`,
        series: names.slice(0, count).map((id, line) => ({
          id,
          label: id,
          ...seriesStyle(line),
          kind: 'line' as const,
          primary: line === 0,
          values: Array.from({ length: 5_000 }, (_, index) =>
            index > 3_000 && index < 3_300 ? null : 8 + line + 5 * Math.sin(index / (150 + 40 * line)),
          ),
          format: (value: number) => `${value.toFixed(1)} s`,
        })),
      },
    ],
  };
}

function ChartScene({ data }: { readonly data: ChartData }) {
  const [picked, setPicked] = useState(-1);
  const source = useMemo(() => loaded(data), [data]);
  return (
    <>
      <output>{`picked ${picked}`}</output>
      <ChartPanel
        title="Traffic today"
        unit="per hour"
        source={source}
        empty={{ title: 'None', text: 'Nothing here.' }}
        errorTitle="Failed"
        exportName="traffic"
        onBucket={setPicked}
        height={270}
      />
    </>
  );
}

function DialogScene() {
  const [asking, setAsking] = useState<'word' | 'danger' | null>(null);
  const [done, setDone] = useState(0);
  return (
    <>
      <output>{`done ${done}`}</output>
      <Button onClick={() => setAsking('word')}>Delete all</Button>
      <Button onClick={() => setAsking('danger')}>Fail</Button>
      <ConfirmDialog
        opened={asking === 'word'}
        onClose={() => setAsking(null)}
        title="Delete all events"
        confirmLabel="Delete"
        danger
        typedWord="DELETE"
        onConfirm={async () => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          setDone((count) => count + 1);
        }}
      >
        They are gone then.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'danger'}
        onClose={() => setAsking(null)}
        title="Fails always"
        confirmLabel="Try"
        danger
        onConfirm={() => Promise.reject(new Error('no'))}
      >
        It will fail.
      </ConfirmDialog>
    </>
  );
}

const RULES = {
  names: ['24h', 'today', 'yesterday', '7d', '30d', 'month'],
  fallback: '24h',
  parameter: 'range',
  rolling: true,
} as const;

function RangeScene() {
  const [range, setRange] = useState<RangeChoice>(namedRange('24h'));
  const [compare, setCompare] = useState<CompareChoice>({ kind: 'none' });
  return (
    <>
      <output>{`${range.name} ${range.fromMs} ${range.toMs} ${compare.kind}`}</output>
      <search className="filter-bar">
        <RangeControl
          rules={RULES}
          value={range}
          onChange={setRange}
          compare={compare}
          onCompare={setCompare}
          steps
          zoneShown
        />
      </search>
      <RangeButton rules={RULES} value={range} onChange={setRange} label="A" />
    </>
  );
}

function StatesScene() {
  const table = {
    title: 'Models',
    empty: { title: 'No model was used', text: 'The range holds no request.' },
    errorTitle: 'Models could not be loaded',
    columns,
    rowKey,
    rowName: rowKey,
    narrow: (row: Row) => ({ main: row.name }),
  };
  const nothing = { data: undefined, error: null, atMs: null, busy: true, retry: () => {} };
  return (
    <>
      <TablePanel {...table} source={nothing} />
      <TablePanel {...table} source={loaded([])} />
      <TablePanel {...table} source={{ ...nothing, error: new Error('broken') }} />
      <TablePanel {...table} source={{ ...loaded([makeRow(1)]), error: new Error('broken') }} totalLabel="Total" />
    </>
  );
}

const scene = new URLSearchParams(location.search).get('scene');

function Scene() {
  switch (scene) {
    case 'short':
      return <TableScene count={12} />;
    case 'chart':
      return <ChartScene data={lanes} />;
    case 'lines':
      return <ChartScene data={LINES} />;
    case 'dialog':
      return <DialogScene />;
    case 'range':
      return <RangeScene />;
    case 'stats':
      return <StatsScene />;
    case 'rows':
      return <RowsScene />;
    case 'states':
      return <StatesScene />;
    default:
      return <TableScene count={50_000} />;
  }
}
const LINES = lines(6);

function Stage() {
  const [services] = useState(() => createServices(location.href));
  return (
    <MantineProvider {...MANTINE_SETTINGS}>
      <ServicesContext value={services}>
        <main className="page-body" style={{ height: '100vh' }}>
          <h1>Parts</h1>
          <Scene />
        </main>
      </ServicesContext>
    </MantineProvider>
  );
}

startTheme();
startI18n();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Stage />
    </StrictMode>,
  );
}
