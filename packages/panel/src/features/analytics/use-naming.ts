import { useMemo } from 'react';
import { useAliases, useKeyNames } from '../../api/queries.ts';
import { useMasker } from '../../app/masking.ts';
import { useText } from '../../i18n/index.ts';

/** How keys and accounts are called on screen, and in files while masking is on. */
export function useNaming() {
  const { t } = useText();
  const aliases = useAliases();
  const keyNames = useKeyNames();
  const masker = useMasker();
  return useMemo(
    () => ({ aliases, keyNames, masker, noKey: t('analytics.noKey'), noAccount: t('analytics.noAccount') }),
    [aliases, keyNames, masker, t],
  );
}
