import { useMemo } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { useAliases, useKeyNames } from '../../../platform/queries/queries.ts';

/** Names of keys and accounts on screen, and in files while masking is on. */
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
