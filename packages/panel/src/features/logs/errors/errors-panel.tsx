import { Input } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useMemo, useState } from 'react';
import { fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { useManaged, useServices } from '../../../platform/api/services.ts';
import { useAddressHref } from '../../../platform/browser/address.ts';
import { formatBytes } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime, dayOrTime, shortTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { saveFile } from '../../../ui/table/export.ts';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import { useTableSort } from '../../../ui/table/use-table-sort.ts';
import { eventSearch } from '../live/log-columns.tsx';
import { type ErrorLogFile, readErrorLog } from '../logs-api.ts';
import { isFileName, LOGS_ADDRESS, type LogsSearch } from '../logs-search.ts';
import { requestIdOf } from './error-log-name.ts';
import type { useErrorLogs } from './use-error-logs.ts';

const SORT_COLUMNS = ['time', 'name', 'size'];

/** Logs of failed requests. */
export function ErrorsPanel({
  logs,
  text,
  openFile,
  onChange,
  onClearFilters,
}: {
  readonly logs: ReturnType<typeof useErrorLogs>;
  readonly text: string;
  readonly openFile: string;
  readonly onChange: (next: Partial<LogsSearch>) => void;
  readonly onClearFilters: () => void;
}) {
  const hrefTo = useAddressHref(LOGS_ADDRESS);
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { client } = useServices();
  const masker = useMasker();
  const managed = useManaged();
  const { files, everyRequest } = logs;
  const [failed, setFailed] = useState<unknown>(null);
  const [sort, onSort] = useTableSort(SORT_COLUMNS, { column: 'time', direction: 'desc' });
  const source = useMemo(
    () =>
      mapSource(fromQuery(files), (all) => all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))),
    [files, text],
  );
  const save = useMemo(
    () => async (name: string) => {
      setFailed(null);
      try {
        const log = await readErrorLog(client, name, new AbortController().signal);
        saveFile(name, 'text/plain;charset=utf-8', masker.log(log));
      } catch (error) {
        setFailed(error);
      }
    },
    [client, masker],
  );
  const columns = useMemo(
    (): readonly TableColumn<ErrorLogFile>[] => [
      {
        id: 'time',
        label: t('logs.time'),
        width: 130,
        cell: ({ modifiedMs }) => shortTime(modifiedMs, Date.now(), zone, locale),
        title: ({ modifiedMs }) => `${dateAndTime(modifiedMs, zone, locale, true)} ${zone}`,
        sort: ({ modifiedMs }) => modifiedMs,
        sortFirst: 'desc',
      },
      {
        id: 'name',
        label: t('logs.fileName'),
        width: null,
        minWidth: 220,
        cell: ({ name }) => <span className="mono">{shown(name)}</span>,
        title: ({ name }) => shown(name),
        sort: ({ name }) => name,
      },
      {
        id: 'request',
        label: t('logs.request'),
        width: 112,
        priority: 2,
        cell: ({ name, modifiedMs }) => {
          const id = requestIdOf(name);
          if (id === '' || !managed) return <span className="mono">{id}</span>;
          return (
            <Link
              to="/monitoring"
              search={eventSearch(id, modifiedMs)}
              className="link mono"
              title={t('logs.openEventOf', { id })}
            >
              {id}
            </Link>
          );
        },
      },
      {
        id: 'size',
        label: t('logs.size'),
        width: 96,
        right: true,
        cell: ({ bytes }) => formatBytes(bytes),
        sort: ({ bytes }) => bytes,
      },
      {
        id: 'save',
        label: '',
        hint: t('logs.download'),
        width: 52,
        priority: 1,
        cell: ({ name }) =>
          isFileName(name) ? (
            <Button
              kind="quiet"
              square
              aria-label={t('logs.downloadFile', { name: shown(name) })}
              onClick={() => void save(name)}
            >
              <Icon name="download" />
            </Button>
          ) : (
            ''
          ),
      },
    ],
    [t, zone, locale, managed, save],
  );
  const failure = failureText(failed);
  const all = files.data ?? [];
  const refused = all.filter(({ name }) => !isFileName(name)).length;
  return (
    <>
      {everyRequest.data === true && (
        <Note
          tone="wait"
          fact={t('logs.everyRequest')}
          action={
            <Link to="/system" search={{}} className="link">
              {t('nav.system')}
            </Link>
          }
        >
          {t('logs.everyRequestText')}
        </Note>
      )}
      {failed !== null && (
        <Note tone="bad" fact={t('log.failed')}>
          {t(failure.key, failure.values)}
        </Note>
      )}
      {refused > 0 && (
        <Note tone="warn" fact={t('logs.refused', { count: refused })}>
          {t('logs.refusedText')}
        </Note>
      )}
      <TablePanel
        title={t('logs.errors')}
        subtitle={files.data === undefined ? undefined : t('logs.fileCount', { count: source.data?.length ?? 0 })}
        source={source}
        columns={columns}
        rowKey={({ name }) => name}
        rowName={({ name }) => shown(name)}
        narrow={({ name, modifiedMs, bytes }) => ({
          lead: dayOrTime(modifiedMs, Date.now(), zone, locale),
          main: <span className="mono">{shown(name)}</span>,
          mainBelow: requestIdOf(name),
          value: formatBytes(bytes),
        })}
        sort={sort}
        onSort={onSort}
        keys
        href={({ name }) => (isFileName(name) ? hrefTo({ file: name, request: '' }) : null)}
        onOpen={({ name }) => {
          if (isFileName(name)) onChange({ file: name, request: '' });
        }}
        openKey={openFile === '' ? null : openFile}
        empty={
          text !== '' && all.length > 0
            ? {
                title: t('logs.noFile'),
                text: t('logs.noFileText'),
                action: <Button onClick={onClearFilters}>{t('filter.clear')}</Button>,
              }
            : everyRequest.data === true
              ? { title: t('logs.notListed'), text: t('logs.notListedText') }
              : { title: t('logs.noErrors'), text: t('logs.noErrorsText') }
        }
        errorTitle={t('logs.errorsFailed')}
        unsupported={{ title: t('logs.errorsOld'), text: t('logs.oldText') }}
        expectedRows={6}
      />
    </>
  );
}

/** Opens the log of a request by its id, also of one that is not listed. */
export function OpenByRequest({ onOpen }: { readonly onOpen: (id: string) => boolean }) {
  const { t } = useText();
  const [id, setId] = useState('');
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWrong(!onOpen(id.trim()));
  };
  return (
    <form className="row log-by-id" onSubmit={submit}>
      <Input
        withAria={false}
        size="xs"
        value={id}
        placeholder={t('logs.requestId')}
        aria-label={t('logs.requestId')}
        aria-invalid={wrong}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setId(event.currentTarget.value);
          setWrong(false);
        }}
      />
      <Button type="submit" disabled={id.trim() === ''}>
        {t('logs.openLog')}
      </Button>
      {wrong && (
        <span role="alert" className="small tone-bad">
          {t('logs.wrongId')}
        </span>
      )}
    </form>
  );
}
