import { Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { clearStored } from '../../platform/browser/storage.ts';
import { useText } from '../../platform/i18n/index.ts';
import { IDLE_LOCK_CHOICES, setPreferences, usePreferences } from '../../platform/preferences/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RememberField } from '../../ui/controls/remember-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';

/** What this browser shows and stores; nothing here reaches the server. */
export function PrivacyPanel() {
  const { t } = useText();
  const { session } = useServices();
  const preferences = usePreferences();
  const [remembered, setRemembered] = useState(session.remembered);
  const [asking, setAsking] = useState(false);
  const clear = () => {
    session.signOut();
    clearStored();
    // The tab's memory is cleared too.
    window.location.reload();
  };
  return (
    <section className="panel" aria-label={t('settings.privacy')}>
      <div className="panel-head">
        <h2>{t('settings.privacy')}</h2>
        <span className="tiny ink-3">{t('settings.appearanceHint')}</span>
      </div>
      <Stack gap="lg" maw={640} pt="xs" className="panel-body">
        <Switch
          checked={preferences.startMasked}
          label={t('settings.startMasked')}
          description={t('settings.startMaskedHint')}
          onChange={(event) => setPreferences({ startMasked: event.currentTarget.checked })}
        />
        <Switch
          checked={preferences.updateChecks}
          label={t('system.checkUpdate')}
          description={t('settings.updateChecksHint')}
          onChange={(event) => setPreferences({ updateChecks: event.currentTarget.checked })}
        />
        <RememberField
          days={remembered}
          onChange={(days) => {
            session.remember(days);
            setRemembered(days);
          }}
        />
        <div className="form-row">
          <span className="medium">{t('settings.idleLock')}</span>
          <span>
            <Segmented
              label={t('settings.idleLock')}
              value={String(preferences.idleLockMinutes)}
              options={IDLE_LOCK_CHOICES.map((minutes) => ({
                value: String(minutes),
                label: minutes === 0 ? t('settings.idleLockNever') : t('settings.minutes', { minutes }),
              }))}
              onChange={(minutes) => setPreferences({ idleLockMinutes: Number(minutes) })}
            />
          </span>
          <span className="small ink-3">{t('settings.idleLockHint')}</span>
        </div>
        <div className="form-row">
          <span className="medium">{t('settings.clearTitle')}</span>
          <span>
            <Button onClick={() => setAsking(true)}>{t('settings.clear')}</Button>
          </span>
          <span className="small ink-3">{t('settings.clearHint')}</span>
        </div>
      </Stack>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('settings.clearTitle')}
        confirmLabel={t('settings.clear')}
        onConfirm={clear}
        danger
      >
        <p>{t('settings.clearText')}</p>
      </ConfirmDialog>
    </section>
  );
}
