import type { DashboardResponse, HealthPoint } from '@manager/core/contract/dashboard';
import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { formatCount } from '../../platform/format/format.ts';
import { hourAndMinute } from '../../platform/format/time.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { usePhone } from '../../ui/use-phone.ts';
import { exceedsGrid, healthColumns, lastHours } from './dashboard-view.ts';

const TONES: Readonly<Record<HealthPoint['tone'], TextKey>> = {
  good: 'inspection.good',
  warn: 'inspection.warn',
  bad: 'inspection.bad',
  empty: 'inspection.empty',
  future: 'inspection.future',
};
/** Requests of today that make a cell look so. */
const LEGEND_LINKS: Partial<Record<HealthPoint['tone'], UrlSearch>> = {
  good: { status: ['success'] },
  warn: { status: ['failed'] },
  bad: { status: ['failed'] },
};
const PHONE_HOURS = 12;
const STEPS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Ten minutes per cell; shapes repeat the colors. Arrow keys move through it, Enter opens the requests. */
export function HealthGrid({
  dashboard,
  onOpen,
}: {
  readonly dashboard: DashboardResponse;
  readonly onOpen: (fromMs: number, toMs: number) => void;
}) {
  const { t } = useText();
  const zone = useTimeZone();
  const grid = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<readonly [number, number]>([0, 0]);
  // A phone has room for half a day, up to now.
  const phone = usePhone();
  const columns = phone ? lastHours(healthColumns(dashboard, zone), PHONE_HOURS) : healthColumns(dashboard, zone);
  const cellMs = dashboard.today_request_health_timeline.bucket_ms;

  const walk = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const column = Math.min(Math.max(active[0] + step[0], 0), columns.length - 1);
    const row = Math.min(Math.max(active[1] + step[1], 0), (columns[column]?.length ?? 1) - 1);
    setActive([column, row]);
    grid.current?.querySelector<HTMLElement>(`[data-cell="${column}-${row}"]`)?.focus();
  };

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons inside. */}
      <div className="health-grid" ref={grid} onKeyDown={walk}>
        <div className="health-minutes tiny ink-3" aria-hidden="true">
          <span />
          {columns[0]?.map(({ bucket_ms }) => (
            <span key={bucket_ms}>{hourAndMinute(bucket_ms, zone).slice(2)}</span>
          ))}
        </div>
        {columns.map((points, column) => (
          <div className="health-hour" key={points[0]?.bucket_ms}>
            <span className="tiny ink-3" aria-hidden="true">
              {column % (phone ? 2 : 3) === 0 && points[0] !== undefined
                ? hourAndMinute(points[0].bucket_ms, zone).slice(0, 2)
                : ''}
            </span>
            {points.map((point, row) => {
              const name = t('inspection.cell', {
                time: hourAndMinute(point.bucket_ms, zone),
                state: t(TONES[point.tone]),
                requests: formatCount(point.calls),
                failed: formatCount(point.failure),
              });
              return (
                <button
                  type="button"
                  key={point.bucket_ms}
                  className="health-cell"
                  data-tone={point.tone}
                  data-cell={`${column}-${row}`}
                  tabIndex={column === active[0] && row === active[1] ? 0 : -1}
                  disabled={point.tone === 'future'}
                  aria-label={name}
                  title={name}
                  onFocus={() => setActive([column, row])}
                  onClick={() => onOpen(point.bucket_ms, point.bucket_ms + cellMs)}
                >
                  <Mark point={point} />
                </button>
              );
            })}
          </div>
        ))}
      </div>
      <Group component="p" gap="4px 12px" mt="sm" className="tiny ink-2">
        {(['good', 'warn', 'bad', 'empty'] as const).map((tone) => (
          <span key={tone} className="row" style={{ gap: 6 }}>
            <i className="health-cell" data-tone={tone}>
              <Mark point={{ tone, failure_rate: 0.05 }} />
            </i>
            {LEGEND_LINKS[tone] === undefined ? (
              t(TONES[tone])
            ) : (
              <Link to="/monitoring" search={LEGEND_LINKS[tone]} className="stat-link">
                {t(TONES[tone])}
              </Link>
            )}
          </span>
        ))}
      </Group>
      {exceedsGrid(dashboard, zone) && <p className="tiny ink-3">{t('inspection.longDay')}</p>}
    </>
  );
}

/** The triangle grows with the share of failed requests. */
function Mark({ point }: { readonly point: Pick<HealthPoint, 'tone' | 'failure_rate'> }) {
  if (point.tone === 'warn') {
    const size = 3 + Math.min(point.failure_rate / 0.1, 1) * 3;
    return (
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={`M6 ${6 - size / 1.2}L${6 + size / 1.2} ${6 + size / 1.5}H${6 - size / 1.2}z`} />
      </svg>
    );
  }
  if (point.tone === 'bad') {
    return (
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M3.5 3.5l5 5M8.5 3.5l-5 5" />
      </svg>
    );
  }
  return point.tone === 'good' ? null : <i className="health-dot" />;
}
