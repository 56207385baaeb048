import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../../platform/api/errors.ts';
import { useServices } from '../../../platform/api/services.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { EmptyState, ErrorState } from '../../../ui/feedback/states.tsx';
import { LogText } from '../../../ui/logs/log-text.tsx';

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
      <RequestLog requestId={requestId} />
    </Dialog>
  );
}

function RequestLog({ requestId }: { readonly requestId: string }) {
  const { t } = useText();
  const { manager } = useServices();
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
  return (
    <div className="log-dialog">
      <LogText
        text={log.data}
        label={t('log.title')}
        fileName={`request-${requestId}.log`}
        actions={
          <Link to="/logs" search={{ tab: ['errors'], request: [requestId] }} className="button quiet">
            {t('logs.openInLogs')}
          </Link>
        }
      />
    </div>
  );
}
