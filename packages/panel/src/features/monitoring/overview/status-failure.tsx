import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { useStatus } from '../../../platform/queries/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { failureText, technicalLine } from '../../../ui/feedback/states.tsx';

/** The manager's status could not be loaded. */
export function StatusFailure() {
  const { t } = useText();
  const zone = useTimeZone();
  const status = useStatus();
  if (status.data !== undefined || status.error === null) return null;
  const failure = failureText(status.error);
  return (
    <Note
      tone="bad"
      fact={t('error.status')}
      action={<Button onClick={() => void status.refetch()}>{t('common.tryAgain')}</Button>}
    >
      {t(failure.key, failure.values)} <span className="mono ink-3">{technicalLine(status.error, zone)}</span>
    </Note>
  );
}
