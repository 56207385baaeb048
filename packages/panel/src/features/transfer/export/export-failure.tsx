import { ApiError } from '../../../platform/api/errors.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Note } from '../../../ui/feedback/note.tsx';
import { failureText, technicalLine } from '../../../ui/feedback/states.tsx';
import type { ExportFailure } from './controller.ts';

/** Why there is no file. */
export function ExportFailureNote({ failure }: { readonly failure: ExportFailure }) {
  const { t } = useText();
  const zone = useTimeZone();
  const { kind, error } = failure;
  const line = technicalLine(error, zone);
  if (kind === 'answer') {
    const answer = failureText(error);
    // The manager's own error; a proxy would not send it.
    const full = error instanceof ApiError && error.status === 503 && error.hop === null;
    return (
      <Note tone="bad" fact={t('usageExport.noAnswer')}>
        {full ? t('usageExport.busy') : t(answer.key, answer.values)}
        <span className="wrap tiny ink-3" style={{ display: 'block' }}>
          {line}
        </span>
      </Note>
    );
  }
  return (
    <Note tone="bad" fact={t(kind === 'cut' ? 'usageExport.cut' : 'usageExport.disk')}>
      {t(kind === 'cut' ? 'usageExport.cutText' : 'usageExport.diskText')}
      <span className="wrap tiny ink-3" style={{ display: 'block' }}>
        {line}
      </span>
    </Note>
  );
}
