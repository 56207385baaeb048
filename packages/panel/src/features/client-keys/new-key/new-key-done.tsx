import { Stack } from '@mantine/core';
import { hashPrefix } from '../../../platform/format/mask.ts';
import { maskKey } from '../../../platform/format/mask-key.ts';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { Icon } from '../../../ui/icons.tsx';
import type { KeyRow } from '../key-rows.ts';
import { keyTitle, maskedKey } from '../key-words.ts';
import type { StoredKey } from './new-key.ts';

/** The key is stored: it can be copied now, or later from the list. */
export function NewKeyDone({
  stored,
  successorOf,
  onClose,
}: {
  readonly stored: StoredKey;
  readonly successorOf: KeyRow | null;
  readonly onClose: () => void;
}) {
  const { t } = useText();
  const masker = useMasker();
  const [copied, copy] = useCopied();
  const names = successorOf === null ? [] : [keyTitle(successorOf, masker), maskedKey(successorOf)];
  // Without a name, its title is the ends of the key.
  const oldName = [...new Set(names.filter(Boolean))].join(' · ');
  return (
    <Stack>
      <Note tone="ok" fact={t('clientKeys.stored')}>
        {t('clientKeys.storedText')}
      </Note>
      {stored.aliasError !== '' && (
        <Note tone="warn" fact={t('clientKeys.aliasNotStored')}>
          {stored.aliasError}
        </Note>
      )}
      <dl className="definitions">
        <dt>{t('clientKeys.key')}</dt>
        <dd>
          <span className="value mono">{shown(maskKey(stored.key))}</span>
        </dd>
        <dt>{t('clientKeys.hash')}</dt>
        <dd>
          <span className="value mono">{hashPrefix(stored.hash)}</span>
        </dd>
      </dl>
      {successorOf !== null && (
        <p className="dialog-text">
          {t('clientKeys.oldStays', { key: oldName })} {stored.follows && t('clientKeys.historyFollows')}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('common.close')}</Button>
        <Button kind="primary" data-autofocus onClick={() => copy(stored.key)}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? t('common.copied') : t('clientKeys.copyKey')}
        </Button>
      </div>
    </Stack>
  );
}
