import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../platform/api/errors.ts';
import { useServices } from '../../../platform/api/services.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { EmptyState, ErrorState } from '../../../ui/feedback/states.tsx';
import { saveFile } from '../../../ui/table/export.ts';

/** Characters on screen; the file has all of them. */
const MAX_SHOWN = 200_000;

/** The gateway's log of one request. It may contain the content of request and answer. */
export function RequestLogDialog({
  requestId,
  opened,
  onClose,
}: {
  readonly requestId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useText();
  return (
    <Dialog opened={opened} onClose={onClose} title={t('log.title')} size="review">
      <LogText requestId={requestId} />
    </Dialog>
  );
}

function LogText({ requestId }: { readonly requestId: string }) {
  const { t } = useText();
  const { manager } = useServices();
  const masker = useMasker();
  const [copied, copy] = useCopied();
  const log = useQuery({
    queryKey: ['request-log', requestId],
    queryFn: ({ signal }) => manager.requestLog(requestId, signal),
    // Request bodies are dropped when they are no longer shown.
    gcTime: 0,
  });
  if (log.data === undefined) {
    if (log.error === null)
      return <div className="skeleton" style={{ height: 160 }} role="status" aria-label={t('table.loading')} />;
    if (log.error instanceof ApiError && (log.error.status === 404 || log.error.status === 400)) {
      return <EmptyState title={t('log.none')} text={t('log.noneText')} />;
    }
    return <ErrorState title={t('log.failed')} error={log.error} onRetry={() => void log.refetch()} />;
  }
  const text = masker.text(log.data);
  return (
    <>
      <p className="small ink-2">{masker.on ? t('log.masked') : t('log.unmasked')}</p>
      <Textarea
        classNames={{ input: 'mono' }}
        styles={{ input: { height: 'min(60vh, 480px)', background: 'var(--sunken)' } }}
        readOnly
        spellCheck={false}
        aria-label={t('log.title')}
        value={text.slice(0, MAX_SHOWN)}
      />
      <div className="dialog-actions">
        <Button onClick={() => saveFile(`request-${requestId}.log`, 'text/plain;charset=utf-8', text)}>
          {t('log.save')}
        </Button>
        <Button kind="primary" onClick={() => copy(text)}>
          {copied ? t('common.copied') : t('log.copy')}
        </Button>
      </div>
    </>
  );
}
