import { formatBytes, formatCount, NONE } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import type { SessionList } from './upload/session.ts';
import { chunkCount, type UploadSource } from './upload/source.ts';

/** Name, size and chunks of the file before anything is sent. */
export function ConfirmImport({
  file,
  list,
  simple,
  onStart,
  onClose,
}: {
  /** Null = closed. */
  readonly file: UploadSource | null;
  /** Limits of the server; undefined when they could not be loaded. */
  readonly list: SessionList | undefined;
  /** The server takes one request only. */
  readonly simple: boolean;
  readonly onStart: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useText();
  const masker = useMasker();
  const parts = () => {
    if (simple) return t('transfer.chunksOne');
    if (file === null || list === undefined) return NONE;
    const count = chunkCount(file.size, list.chunk_size_bytes);
    return t('transfer.chunksOf', { count, size: formatBytes(Math.min(list.chunk_size_bytes, file.size)) });
  };
  return (
    <Dialog
      opened={file !== null}
      onClose={onClose}
      title={t('transfer.confirmTitle')}
      actions={
        <>
          {/* An import cannot be undone, so the safe button has the focus. */}
          <Button data-autofocus onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button kind="primary" onClick={onStart}>
            {t('transfer.start')}
          </Button>
        </>
      }
    >
      <dl className="definitions facts">
        <dt>{t('transfer.file')}</dt>
        <dd className="wrap">{masker.file(file?.name ?? '')}</dd>
        <dt>{t('transfer.size')}</dt>
        <dd>
          {formatBytes(file?.size)}{' '}
          <span className="ink-3">{t('transfer.bytes', { bytes: formatCount(file?.size) })}</span>
        </dd>
        <dt>{t('transfer.chunks')}</dt>
        <dd>{parts()}</dd>
      </dl>
      <p style={{ marginTop: 12 }} className="ink-2">
        {t('transfer.confirmText')}
      </p>
    </Dialog>
  );
}

/** Confirms dropping received bytes. */
export function ConfirmCancel({
  filename,
  onCancel,
  onClose,
}: {
  /** Null = closed. */
  readonly filename: string | null;
  readonly onCancel: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useText();
  const masker = useMasker();
  return (
    <Dialog
      opened={filename !== null}
      onClose={onClose}
      title={t('transfer.cancelTitle')}
      actions={
        <>
          <Button data-autofocus onClick={onClose}>
            {t('transfer.keep')}
          </Button>
          <Button kind="danger" onClick={onCancel}>
            {t('transfer.cancel')}
          </Button>
        </>
      }
    >
      <b className="wrap">{masker.file(filename ?? '')}</b>
      <p style={{ marginTop: 12 }} className="ink-2">
        {t('transfer.cancelText')}
      </p>
    </Dialog>
  );
}
