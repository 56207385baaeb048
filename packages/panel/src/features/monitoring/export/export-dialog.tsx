import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { exportFileName, saveFile } from '../../../ui/table/export.ts';
import type { BuildQuery } from '../list/use-events.ts';
import { toCsv, toJson, toJsonLines } from './export.ts';
import { collectEvents, MAX_EXPORTED_ROWS } from './export-all.ts';

type Kind = 'csv' | 'jsonl' | 'json';
type Extent = 'all' | 'loaded';

interface ExportDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Rows already loaded. */
  readonly loaded: readonly EventRow[];
  /** Rows of range and filters; null = unknown. */
  readonly total: number | null;
  /** Range and filters in short. */
  readonly scope: string;
  readonly buildQuery: BuildQuery;
}

/** Saves the requests of range and filters as a file, or the loaded ones. */
export function ExportDialog(props: ExportDialogProps) {
  const { t } = useText();
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={t('export.requests')}>
      <ExportForm {...props} />
    </Dialog>
  );
}

function ExportForm({ onClose, loaded, total, scope, buildQuery }: ExportDialogProps) {
  const { t } = useText();
  const { manager } = useServices();
  const masker = useMasker();
  const [kind, setKind] = useState<Kind>('csv');
  const [extent, setExtent] = useState<Extent>('all');
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const write = (rows: readonly EventRow[]) => {
    const name = exportFileName('requests', Date.now());
    if (kind === 'csv') saveFile(`${name}.csv`, 'text/csv;charset=utf-8', toCsv(rows, masker));
    else if (kind === 'jsonl') saveFile(`${name}.jsonl`, 'application/x-ndjson', toJsonLines(rows, masker));
    else saveFile(`${name}.json`, 'application/json', toJson(rows, masker));
    onClose();
  };
  const start = async () => {
    setError(null);
    if (extent === 'loaded') {
      write(loaded);
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, total: Math.min(total ?? MAX_EXPORTED_ROWS, MAX_EXPORTED_ROWS) });
    try {
      const rows = await collectEvents({
        ask: (request) => manager.analytics(request, controller.signal),
        query: await buildQuery(),
        onProgress: (done, all) => setProgress({ done, total: all }),
      });
      if (!controller.signal.aborted) write(rows);
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
    } finally {
      setProgress(null);
      running.current = null;
    }
  };
  const failure = failureText(error);
  const cut = extent === 'all' && (total ?? 0) > MAX_EXPORTED_ROWS;
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <div className="form-row">
        <span className="medium">{t('export.extent')}</span>
        <Segmented<Extent>
          label={t('export.extent')}
          value={extent}
          options={[
            {
              value: 'all',
              label:
                total === null ? t('export.allMatches') : t('export.allMatchesCount', { rows: formatCount(total) }),
            },
            { value: 'loaded', label: t('export.loaded', { rows: formatCount(loaded.length) }) },
          ]}
          onChange={setExtent}
        />
        <span className="small ink-3">{scope}</span>
      </div>
      <div className="form-row">
        <span className="medium">{t('export.kind')}</span>
        <Segmented<Kind>
          label={t('export.kind')}
          value={kind}
          options={[
            { value: 'csv', label: 'CSV' },
            { value: 'jsonl', label: 'JSONL' },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={setKind}
        />
      </div>
      {cut && <p className="small ink-2">{t('export.cut', { rows: formatCount(MAX_EXPORTED_ROWS) })}</p>}
      <p className="small ink-2">{masker.on ? t('export.maskedFile') : t('export.unmaskedFile')}</p>
      <p className="small ink-2">
        {t('export.rawText')}{' '}
        <Link to="/import-export" search={{}} className="link">
          {t('export.rawLink')}
        </Link>
      </p>
      {progress !== null && (
        <p className="small" role="status">
          <progress max={Math.max(progress.total, 1)} value={progress.done} aria-label={t('export.requests')} />{' '}
          {t('export.progress', { done: formatCount(progress.done), total: formatCount(progress.total) })}
        </p>
      )}
      {error !== null && (
        <p className="form-error" role="alert">
          {t(failure.key, failure.values)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" kind="primary" data-autofocus disabled={progress !== null} aria-busy={progress !== null}>
          {t('export.save')}
        </Button>
      </div>
    </Stack>
  );
}
