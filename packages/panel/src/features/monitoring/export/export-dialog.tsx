import type { ExportFormat } from '@manager/core/contract/monitoring/request-export';
import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { SaveFailure } from '../../../platform/browser/copy-lines.ts';
import { chooseFileSink } from '../../../platform/browser/file-sink.ts';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { maskOrder, useMasker } from '../../../platform/preferences/masking.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { exportFileName } from '../../../ui/table/export.ts';
import type { BuildQuery } from '../list/use-events.ts';
import { type SavedRequests, type SaveProgress, saveRequests } from './save-requests.ts';

interface ExportDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Requests of range and filters; null = unknown. */
  readonly total: number | null;
  /** Range and filters in short. */
  readonly scope: string;
  readonly buildQuery: BuildQuery;
}

/** Saves all requests of range and filters as a file. */
export function ExportDialog(props: ExportDialogProps) {
  const { t } = useText();
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={t('export.requests')}>
      <ExportForm {...props} />
    </Dialog>
  );
}

function ExportForm({ onClose, total, scope, buildQuery }: ExportDialogProps) {
  const { t } = useText();
  const { client } = useServices();
  const masker = useMasker();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [masked, setMasked] = useState(masker.on);
  const [progress, setProgress] = useState<SaveProgress | null>(null);
  const [saved, setSaved] = useState<SavedRequests | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    setError(null);
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    try {
      const name = `${exportFileName('requests', client.now())}.${format}`;
      const sink = await chooseFileSink(name);
      if (sink === null) return;
      setProgress({ rows: 0, of: total ?? 0 });
      const buildRequest = async () => {
        const { now_ms: _, ...query } = await buildQuery();
        return { ...query, format, masked, ...(masked ? { mask_order: copyOf(maskOrder()) } : {}) };
      };
      const result = await saveRequests({
        client,
        buildRequest,
        sink,
        name,
        signal,
        onProgress: setProgress,
      });
      // Nobody should find out later that a file has less than the page shows.
      if (result.deleted > 0) setSaved(result);
      else onClose();
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      setProgress(null);
      running.current = null;
    }
  };
  const failure = saveFailureText(error);
  if (saved !== null) return <SavedNote saved={saved} onClose={onClose} />;
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
        <span>
          {total === null ? t('export.allMatches') : t('export.allMatchesCount', { rows: formatCount(total) })}
        </span>
        <span className="small ink-3">{scope}</span>
      </div>
      <div className="form-row">
        <span className="medium">{t('export.kind')}</span>
        <Segmented<ExportFormat>
          label={t('export.kind')}
          value={format}
          options={[
            { value: 'csv', label: 'CSV' },
            { value: 'jsonl', label: 'JSONL' },
          ]}
          onChange={setFormat}
        />
      </div>
      <div className="form-row">
        <span className="medium">{t('export.names')}</span>
        <Segmented<'masked' | 'full'>
          label={t('export.names')}
          value={masked ? 'masked' : 'full'}
          options={[
            { value: 'masked', label: t('export.masked') },
            { value: 'full', label: t('export.full') },
          ]}
          onChange={(next) => setMasked(next === 'masked')}
        />
        <span className="small ink-2">{masked ? t('export.maskedFile') : t('export.unmaskedFile')}</span>
      </div>
      <p className="small ink-2">
        {t('export.rawText')}{' '}
        <Link to="/import-export" search={{}} className="link">
          {t('export.rawLink')}
        </Link>
      </p>
      {progress !== null && (
        <p className="small" role="status">
          <progress max={Math.max(progress.of, 1)} value={progress.rows} aria-label={t('export.requests')} />{' '}
          {t('export.progress', { done: formatCount(progress.rows), total: formatCount(progress.of) })}
        </p>
      )}
      {error !== null && (
        <p className="form-error" role="alert">
          {t('export.failed')} {t(failure.key, failure.values)}
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

function saveFailureText(error: unknown): ReturnType<typeof failureText> {
  if (!(error instanceof SaveFailure)) return failureText(error);
  return { key: error.kind === 'cut' ? 'usageExport.cut' : 'usageExport.disk' };
}

const copyOf = (order: ReturnType<typeof maskOrder>) =>
  order.map(({ accounts, files, projects }) => ({
    accounts: [...accounts],
    files: [...files],
    projects: [...projects],
  }));

function SavedNote({ saved, onClose }: { readonly saved: SavedRequests; readonly onClose: () => void }) {
  const { t } = useText();
  return (
    <Stack>
      <p role="status">{t('export.saved', { rows: formatCount(saved.rows) })}</p>
      <p>{t('export.withoutDetails', { count: saved.deleted, rows: formatCount(saved.deleted) })}</p>
      <div className="dialog-actions">
        <Button kind="primary" data-autofocus onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </Stack>
  );
}
