import { INSPECTION_LOG_LEVELS } from '@manager/core/contract/constants';
import type { InspectionLog, InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { Group } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type DataSource, mapSource } from '../../../platform/api/data-source.ts';
import type { AddressState } from '../../../platform/browser/address.ts';
import { isoWithOffset, timeOfDay } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { LEVEL_WORDS } from '../../../ui/inspection/words.ts';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import type { InspectionSearch } from '../inspection-search.ts';
import { detailText, messageText } from './log-view.ts';

const HEIGHT = 480;

interface LogPanelProps {
  readonly source: DataSource<InspectionRunDetail>;
  readonly search: InspectionSearch;
  readonly onChange: AddressState<InspectionSearch>['change'];
}

/** The log of a run; it follows the end while the run is active. */
export function LogPanel({ source, search, onChange }: LogPanelProps) {
  const { t } = useText();
  const masker = useMasker();
  const zone = useTimeZone();
  const box = useRef<HTMLDivElement>(null);
  const [follow, setFollow] = useState(true);
  const [copied, copy] = useCopied();
  const logs = source.data?.logs;
  const rows = useMemo(
    () => (logs ?? []).filter(({ level }) => search.level === '' || level === search.level),
    [logs, search.level],
  );
  const active = source.data?.run.active === true;
  const count = rows.length;
  useEffect(() => {
    const scroller = box.current?.querySelector('.table-box');
    if (follow && active && count > 0 && scroller) scroller.scrollTop = scroller.scrollHeight;
  }, [follow, active, count]);
  const columns = useMemo((): readonly TableColumn<InspectionLog>[] => {
    const message = ({ message: key }: InspectionLog) => messageText(key, t);
    const detail = (log: InspectionLog) => detailText(log.detail, t, masker);
    return [
      {
        id: 'time',
        label: t('chart.time'),
        width: 96,
        cell: ({ createdAtMs }) => timeOfDay(createdAtMs, zone),
        title: ({ createdAtMs }) => isoWithOffset(createdAtMs, zone),
        exported: ({ createdAtMs }) => isoWithOffset(createdAtMs, zone),
      },
      {
        id: 'level',
        label: t('inspection.level'),
        width: 92,
        cell: ({ level }) => <Status tone={LEVEL_WORDS[level].tone}>{t(LEVEL_WORDS[level].label)}</Status>,
        exported: ({ level }) => level,
      },
      {
        id: 'message',
        label: t('inspection.message'),
        width: 220,
        cell: message,
        title: message,
        exported: message,
      },
      {
        id: 'detail',
        label: t('inspection.detail'),
        width: null,
        minWidth: 240,
        cell: detail,
        title: detail,
        exported: detail,
      },
    ];
  }, [t, masker, zone]);
  const asText = () =>
    rows
      .map((log) =>
        [
          isoWithOffset(log.createdAtMs, zone),
          log.level,
          messageText(log.message, t),
          detailText(log.detail, t, masker),
        ]
          .filter(Boolean)
          .join('  '),
      )
      .join('\n');
  return (
    <div ref={box}>
      <Group mb="md">
        <Segmented
          label={t('inspection.level')}
          value={search.level}
          options={[
            { value: '', label: t('filter.all') },
            ...INSPECTION_LOG_LEVELS.map((level) => ({ value: level as string, label: t(LEVEL_WORDS[level].label) })),
          ]}
          onChange={(level) => onChange({ level })}
        />
        {active && (
          <Button aria-pressed={follow} onClick={() => setFollow(!follow)}>
            {follow ? t('inspection.following') : t('inspection.follow')}
          </Button>
        )}
        <Button disabled={count === 0} onClick={() => copy(asText())}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? t('common.copied') : t('inspection.copyLog')}
        </Button>
      </Group>
      <TablePanel
        title={t('inspection.log')}
        subtitle={t('inspection.lines', { count })}
        source={mapSource(source, () => rows)}
        columns={columns}
        rowKey={({ id }) => String(id)}
        rowName={(log) => messageText(log.message, t)}
        narrow={(log) => ({
          lead: timeOfDay(log.createdAtMs, zone),
          leadBelow: t(LEVEL_WORDS[log.level].label),
          main: messageText(log.message, t),
          mainBelow: detailText(log.detail, t, masker),
        })}
        maxHeight={HEIGHT}
        empty={{
          title: t('inspection.noLine'),
          text: search.level === '' ? t('inspection.noLineText') : t('inspection.filteredText'),
          ...(search.level === ''
            ? {}
            : { action: <Button onClick={() => onChange({ level: '' })}>{t('filter.clear')}</Button> }),
        }}
        errorTitle={t('inspection.runFailed')}
        exportName="health-log"
      />
    </div>
  );
}
