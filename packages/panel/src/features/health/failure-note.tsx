import { ApiError } from '../../api/errors.ts';
import { useMasker } from '../../app/masking.ts';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { shown } from '../../ui/shown.ts';
import { failureText } from '../../ui/states.tsx';
import type { Failure } from './use-inspection.ts';

const FACTS = {
  start: 'health.startFailed',
  cancel: 'health.cancelFailed',
  act: 'health.actFailed',
} as const;

/** What was not done, and why. A batch whose answer was lost may have been done all the same. */
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
      {busy ? t('health.conflict') : t(kind.key, kind.values)} {lost ? t('health.actLost') : words}
    </Note>
  );
}
