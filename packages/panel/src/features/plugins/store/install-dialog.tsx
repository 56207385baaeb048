import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import type { StorePlugin } from '../model/store.ts';
import { type Installed, installPlugin } from '../plugin-calls.ts';
import { installFailure } from '../plugin-words.ts';

/** Letters of a release tag. */
const TAG = /^[\w.+-]{0,64}$/;

/** Asks before a plugin is installed; one of a third party only with the name of its source typed. */
export function InstallDialog({
  offer,
  onClose,
  onInstalled,
}: {
  /** null = closed. */
  readonly offer: StorePlugin | null;
  readonly onClose: () => void;
  readonly onInstalled: (offer: StorePlugin, installed: Installed) => void;
}) {
  const { t } = useText();
  const { client } = useServices();
  const [version, setVersion] = useState('');
  const close = () => {
    setVersion('');
    onClose();
  };
  const wrong = !TAG.test(version.trim());
  const label = offer?.updateAvailable ? 'plugin.update' : 'plugin.install';
  return (
    <ConfirmDialog
      opened={offer !== null}
      onClose={close}
      title={t('plugin.installTitle', { name: offer?.name ?? '' })}
      confirmLabel={t(label)}
      disabled={wrong}
      failure={(error) => installFailure(error, t)}
      {...(offer === null || offer.official ? {} : { typedWord: offer.sourceName })}
      onConfirm={async () => {
        if (offer !== null) onInstalled(offer, await installPlugin(client, offer, version.trim()));
      }}
    >
      {offer !== null && (
        <>
          <p>{t('plugin.installText')}</p>
          {!offer.official && (
            <Note tone="warn" fact={t('plugin.thirdPartyFact', { source: offer.sourceName })}>
              {t('plugin.thirdPartyText')} <span className="mono">{offer.sourceUrl}</span>
            </Note>
          )}
          {offer.lacksAccess && (
            <Note tone="warn" fact={t('plugin.lacksAccess')}>
              {t('plugin.lacksAccessText')}
            </Note>
          )}
          <TextInput
            mt="md"
            label={t('plugin.versionTag')}
            description={t('plugin.versionHint', { version: offer.version || '?' })}
            placeholder={offer.version}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={version}
            error={wrong && t('plugin.badTag')}
            onChange={(event) => setVersion(event.currentTarget.value)}
          />
        </>
      )}
    </ConfirmDialog>
  );
}
