import { ApiError } from '../../platform/api/errors.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import type { Failure } from './use-inspection.ts';

const FACTS = {
  start: 'inspection.startFailed',
  cancel: 'inspection.cancelFailed',
  act: 'inspection.actFailed',
} as const;

/** What was not done, and why. A batch whose answer was lost may still have been done. */
export function FailureNote({ failure, onClose }: { readonly failure: Failure; readonly onClose: () => void }) {
  const { t } = useText();
  const masker = useMasker();
  const { doing, error } = failure;
  const busy = error instanceof ApiError && error.status === 409;
  const kind = failureText(error);
  const words = error instanceof ApiError && error.kind === 'status' ? shown(masker.text(error.message)) : '';
  const lost = doing === 'act' && error instanceof ApiError && error.kind !== 'status';
  return (
    <Note tone="bad" fact={t(FACTS[doing])} action={<Button onClick={onClose}>{t('common.close')}</Button>}>
      {busy ? t('inspection.conflict') : t(kind.key, kind.values)} {lost ? t('inspection.actLost') : words}
    </Note>
  );
}
