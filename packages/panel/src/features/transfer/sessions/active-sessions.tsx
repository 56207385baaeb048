import { formatBytes } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { UploadSession } from '../upload/session.ts';
import { isActive } from './session-view.ts';

/** Imports that take a slot, each with a cancel button. */
export function ActiveSessions({
  sessions,
  busy,
  onCancel,
}: {
  readonly sessions: readonly UploadSession[];
  readonly busy: ReadonlySet<string>;
  readonly onCancel: (session: UploadSession) => void;
}) {
  const { t } = useText();
  const masker = useMasker();
  const active = sessions.filter(isActive);
  if (active.length === 0) return null;
  return (
    <ul className="lines" aria-label={t('transfer.activeLabel')}>
      {active.map((session) => (
        <li key={session.id} className="row">
          <span className="ellipsis" title={masker.file(session.filename)}>
            {masker.file(session.filename)}
          </span>
          <span className="small ink-3 nowrap">{formatBytes(session.size_bytes)}</span>
          <span className="spacer" />
          <Button
            disabled={busy.has(session.id)}
            aria-label={t('transfer.cancelOf', { file: masker.file(session.filename) })}
            onClick={() => onCancel(session)}
          >
            {t('common.cancel')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
