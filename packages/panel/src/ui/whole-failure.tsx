import { useText } from '../i18n/index.ts';
import { CopyButton } from './copy.tsx';
import { failureMessage } from './failure-message.ts';
import type { Masker } from './mask.ts';

/** The whole text of a failure of which only the message is shown. */
export function WholeFailure({ text, masker }: { readonly text: string; readonly masker: Masker }) {
  const { t } = useText();
  if (failureMessage(text) === text.trim()) return null;
  return <CopyButton text={masker.text(text)} label={t('drawer.failure')} />;
}
