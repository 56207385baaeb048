import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { DataSource } from '../../../platform/api/data-source.ts';
import { useServices } from '../../../platform/api/services.ts';
import { useAddressHref } from '../../../platform/browser/address.ts';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { StatusMenu } from '../../../ui/controls/status-menu.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import { ARCHIVES_ADDRESS, type ArchivesSearch } from '../archives-search.ts';
import { StepsPanel } from '../steps-panel.tsx';
import type { useRuns } from '../use-archives.ts';
import type { Run } from '../wire.ts';
import { runColumns, runNarrow } from './run-columns.tsx';
import { STATUS_WORDS } from './run-view.ts';

interface RunsTabProps {
  readonly query: ReturnType<typeof useRuns>;
  readonly search: ArchivesSearch;
  readonly onChange: (next: Partial<ArchivesSearch>, replace?: boolean) => void;
}

/** All runs, the newest first, including automatic ones and those of other people. */
export function RunsTab({ query, search, onChange }: RunsTabProps) {
  const hrefTo = useAddressHref(ARCHIVES_ADDRESS);
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { client } = useServices();
  const context = useMemo(() => ({ t, locale, zone, now: client.now }), [t, locale, zone, client]);
  const columns = useMemo(() => runColumns(context), [context]);
  const pages = query.data?.pages;
  const runs = useMemo(() => pages?.flatMap((page) => page.runs), [pages]);
  const newest = pages?.[0];
  const counts = newest?.status_counts ?? {};
  const filtered = search.status !== '' || search.mode !== '';
  const source: DataSource<readonly Run[]> = {
    data: runs,
    error: query.error,
    atMs: query.dataUpdatedAt === 0 ? null : query.dataUpdatedAt,
    busy: query.isFetching,
    retry: () => void query.refetch(),
  };
  const clear = () => onChange({ status: '', mode: '' });
  const empty = filtered
    ? {
        title: t('archives.runsFiltered'),
        text: t('archives.runsFilteredText'),
        action: <Button onClick={clear}>{t('filter.clear')}</Button>,
      }
    : {
        title: t('archives.runsEmpty'),
        text: t('archives.runsEmptyText'),
        action: (
          <Link to="/usage-maintenance" search={{ tab: ['create'] }} className="link">
            {t('archives.openCreate')}
          </Link>
        ),
      };
  return (
    <>
      <search className="filter-bar">
        <Segmented
          label={t('archives.mode')}
          value={search.mode}
          options={[
            { value: '', label: t('filter.all') },
            { value: 'manual', label: t('archives.manual') },
            { value: 'retention', label: t('archives.byRetention') },
          ]}
          onChange={(mode) => onChange({ mode })}
        />
        <StatusMenu
          words={STATUS_WORDS}
          counts={counts}
          status={search.status}
          onStatus={(status) => onChange({ status })}
          target={(name) => (
            <Button>
              <span className="ink-3">{t('filter.status')}</span>
              {name}
              <Icon name="chevronDown" />
            </Button>
          )}
        />
        {filtered && <Button onClick={clear}>{t('filter.clear')}</Button>}
      </search>
      <TablePanel
        title={t('archives.runs')}
        subtitle={
          newest !== undefined &&
          newest.total > 0 &&
          t('archives.runsShown', { shown: formatCount(runs?.length ?? 0), total: formatCount(newest.total) })
        }
        source={source}
        columns={columns}
        rowKey={(run) => run.id}
        rowName={(run) => run.id.slice(0, 8)}
        narrow={(run) => runNarrow(run, context)}
        href={(run) => hrefTo({ run: run.id })}
        onOpen={(run) => onChange({ run: run.id }, search.run !== '')}
        openKey={search.run === '' ? null : search.run}
        keys
        onEnd={() => {
          if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
        }}
        empty={empty}
        errorTitle={t('archives.runsFailed')}
        errorScope={t('error.otherPanels')}
        expectedRows={6}
        exportName="archive-runs"
      />
      {!filtered && runs?.length === 0 && <StepsPanel wide />}
    </>
  );
}
