import { Link } from '@tanstack/react-router';
import { ApiError } from '../../../platform/api/errors.ts';
import { useManaged } from '../../../platform/api/services.ts';
import { formatBytes } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DrawerSkeleton } from '../../../ui/dialog/drawer-skeleton.tsx';
import { useDrawerFocus } from '../../../ui/dialog/use-drawer-focus.ts';
import { EmptyState, ErrorState } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { LogText } from '../../../ui/logs/log-text.tsx';
import { eventSearch } from '../live/log-columns.tsx';
import type { ErrorLogFile } from '../logs-api.ts';
import { requestIdOf } from './error-log-name.ts';
import { type OpenLog, useOpenLog } from './use-error-logs.ts';

/** A log file beside the list. */
export function ErrorLogDrawer({
  open,
  file,
  docked,
  onClose,
}: {
  readonly open: OpenLog;
  /** Its row; null = not in the list. */
  readonly file: ErrorLogFile | null;
  readonly docked: boolean;
  readonly onClose: () => void;
}) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const managed = useManaged();
  const panel = useDrawerFocus(docked);
  const log = useOpenLog(open);
  const id = open.request || requestIdOf(open.file);
  const name = open.request === '' ? open.file : `request-${open.request}.log`;
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className="drawer"
      aria-label={t('log.title')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      {...(docked ? {} : { 'data-overlay': '' })}
    >
      <div className="drawer-head">
        <div className="row">
          <b className="ellipsis" title={shown(name)}>
            {open.request === '' ? shown(name) : t('logs.logOf', { id })}
          </b>
          <span className="spacer" />
          <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </div>
        {file !== null && (
          <div className="small ink-2" style={{ marginTop: 4 }}>
            {dateAndTime(file.modifiedMs, zone, locale, true)} {zone} · {formatBytes(file.bytes)}
          </div>
        )}
      </div>
      {log.data === undefined ? (
        <div className="drawer-scroll">
          {log.error === null ? (
            <DrawerSkeleton />
          ) : isMissing(log.error) ? (
            <EmptyState title={t('log.none')} text={t('log.noneText')} />
          ) : (
            <ErrorState title={t('log.failed')} error={log.error} onRetry={() => void log.refetch()} />
          )}
        </div>
      ) : (
        <LogText
          key={name}
          text={log.data}
          label={t('log.title')}
          fileName={name}
          actions={
            managed &&
            id !== '' && (
              <Link to="/monitoring" search={eventSearch(id, file?.modifiedMs ?? null)} className="button">
                {t('logs.openEvent')}
              </Link>
            )
          }
        />
      )}
    </aside>
  );
}

const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);
