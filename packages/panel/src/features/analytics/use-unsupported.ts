import { useText } from '../../platform/i18n/index.ts';

/** What is said where an older manager does not know the question. */
export function useUnsupported(): { readonly title: string; readonly text: string } {
  const { t } = useText();
  return { title: t('analytics.old'), text: t('analytics.oldText') };
}
