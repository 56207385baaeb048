import type { Masker } from '../../platform/format/mask.ts';
import { useText } from '../../platform/i18n/index.ts';
import { failureMessage } from '../../platform/wording/failure-message.ts';
import { CopyButton } from '../controls/copy.tsx';

/** The full text of a failure whose message alone is shown. */
export function WholeFailure({ text, masker }: { readonly text: string; readonly masker: Masker }) {
  const { t } = useText();
  if (failureMessage(text) === text.trim()) return null;
  return <CopyButton text={masker.text(text)} label={t('drawer.failure')} />;
}
