import { useText } from '../../platform/i18n/index.ts';

/** Text for an older manager that does not know the request. */
export function useUnsupported(): { readonly title: string; readonly text: string } {
  const { t } = useText();
  return { title: t('analytics.old'), text: t('analytics.oldText') };
}
