import type { InspectionRun, InspectionRunList } from '@manager/core/contract/inspection/runs';
import { useMemo } from 'react';
import { type DataSource, mapSource } from '../../../platform/api/data-source.ts';
import { useServices } from '../../../platform/api/services.ts';
import { type AddressState, useAddressHref } from '../../../platform/browser/address.ts';
import { formatCount, formatDuration, NONE } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime, dayOrTime, isoWithOffset, shortTime } from '../../../platform/format/time.ts';
import { type Translate, useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { FEW_RUNS } from '../../../ui/inspection/schedule-view.ts';
import { ACTION_ORDER, ACTION_WORDS, runWord } from '../../../ui/inspection/words.ts';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import { INSPECTION_ADDRESS, type InspectionSearch } from '../inspection-search.ts';
import { runDuration, suggestionsOf } from './run-view.ts';

interface HistoryPanelProps {
  readonly source: DataSource<InspectionRunList>;
  readonly shownId: string;
  readonly allRuns: boolean;
  readonly onChange: AddressState<InspectionSearch>['change'];
}

export function RunStatus({ run, t }: { readonly run: InspectionRun; readonly t: Translate }) {
  const word = runWord(run);
  return <Status tone={word?.tone ?? 'unknown'}>{word === null ? shown(run.status) : t(word.label)}</Status>;
}

export function triggerText({ triggerType }: InspectionRun, t: Translate): string {
  return triggerType === 'scheduled' ? t('inspection.scheduled') : t('inspection.manual');
}

/** Earlier runs; each can be opened with its results and log. */
export function HistoryPanel({ source, shownId, allRuns, onChange }: HistoryPanelProps) {
  const hrefTo = useAddressHref(INSPECTION_ADDRESS);
  const { t, locale } = useText();
  const zone = useTimeZone();
  const masker = useMasker();
  const { client } = useServices();
  const columns = useMemo((): readonly TableColumn<InspectionRun>[] => {
    const count = (id: keyof ReturnType<typeof suggestionsOf>, priority: number): TableColumn<InspectionRun> => ({
      id,
      label: t(ACTION_WORDS[id].label),
      width: 84,
      right: true,
      priority,
      cell: (run) => formatCount(suggestionsOf(run)[id]),
      exported: (run) => suggestionsOf(run)[id],
    });
    const error = (run: InspectionRun) => shown(masker.text(run.error ?? ''));
    return [
      {
        id: 'started',
        label: t('inspection.started'),
        width: 132,
        cell: ({ startedAtMs }) => shortTime(startedAtMs, client.now(), zone, locale),
        title: ({ startedAtMs }) => isoWithOffset(startedAtMs, zone),
        exported: ({ startedAtMs }) => isoWithOffset(startedAtMs, zone),
      },
      {
        id: 'status',
        label: t('filter.status'),
        width: 112,
        cell: (run) => <RunStatus run={run} t={t} />,
        exported: ({ status }) => status,
      },
      {
        id: 'trigger',
        label: t('inspection.trigger'),
        width: 96,
        priority: 2,
        cell: (run) => triggerText(run, t),
        exported: ({ triggerType }) => triggerType,
      },
      {
        id: 'duration',
        label: t('inspection.duration'),
        width: 88,
        right: true,
        priority: 3,
        cell: (run) => formatDuration(runDuration(run, client.now())),
        exported: (run) => runDuration(run, client.now()),
      },
      {
        id: 'sampled',
        label: t('inspection.inspected'),
        width: 84,
        right: true,
        cell: ({ sampledCount }) => formatCount(sampledCount),
        exported: ({ sampledCount }) => sampledCount,
      },
      ...ACTION_ORDER.map((action, index) => count(action, index + 4)),
      {
        id: 'error',
        label: t('inspection.problem'),
        width: null,
        minWidth: 160,
        priority: 1,
        cell: (run) => <span className={run.error ? 'tone-bad' : undefined}>{error(run) || NONE}</span>,
        title: (run) => error(run) || undefined,
        exported: error,
      },
    ];
  }, [t, locale, zone, masker, client]);
  const rows = source.data?.items ?? [];
  return (
    <TablePanel
      title={t('inspection.history')}
      subtitle={t('inspection.runs', { count: rows.length })}
      source={mapSource(source, ({ items }) => items)}
      columns={columns}
      rowKey={({ id }) => String(id)}
      rowName={(run) => `${dateAndTime(run.startedAtMs, zone, locale, true)} ${triggerText(run, t)}`}
      narrow={(run) => ({
        lead: dayOrTime(run.startedAtMs, client.now(), zone, locale),
        leadBelow: triggerText(run, t),
        main: <RunStatus run={run} t={t} />,
        mainBelow: run.error
          ? shown(masker.text(run.error))
          : ACTION_ORDER.filter((action) => action !== 'keep' && suggestionsOf(run)[action] > 0)
              .map((action) => `${t(ACTION_WORDS[action].label)} ${suggestionsOf(run)[action]}`)
              .join(' · ') || t('inspection.allFine'),
        value: formatCount(run.sampledCount),
        valueBelow: formatDuration(runDuration(run, client.now())),
      })}
      href={(run) => hrefTo({ run: run.id === rows[0]?.id ? '' : String(run.id), tab: 'results', result: '' })}
      onOpen={(run) => onChange({ run: run.id === rows[0]?.id ? '' : String(run.id), tab: 'results', result: '' })}
      openKey={shownId === '' ? null : shownId}
      empty={{ title: t('inspection.noRun'), text: t('inspection.noRunText') }}
      errorTitle={t('inspection.runsFailed')}
      exportName="health-runs"
      foot={
        allRuns || rows.length < FEW_RUNS ? undefined : (
          <Button onClick={() => onChange({ allRuns: true })}>{t('inspection.moreRuns')}</Button>
        )
      }
    />
  );
}
