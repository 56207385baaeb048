import { formatCount } from '../../platform/format/format.ts';
import { shortTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { KEY_REFUSALS } from '../../platform/wording/key-refusal.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import type { SettingsFormState } from './use-settings-form.ts';

/** Confirms a save that changes the connection, enables automatic deletion or tries a refused key again; one after the other. */
export function SaveQuestions({ settings }: { readonly settings: SettingsFormState }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { asked, confirm, withdraw, refused } = settings;
  return (
    <>
      <ConfirmDialog
        opened={asked === 'connection'}
        onClose={() => withdraw('connection')}
        title={t('settings.confirmTitle')}
        confirmLabel={t('settings.confirm')}
        onConfirm={confirm}
      >
        <p>{t('settings.confirmText')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={() => withdraw('delete')}
        title={t('inspectionSettings.deleteTitle')}
        confirmLabel={t('inspectionSettings.deleteConfirm')}
        onConfirm={confirm}
        danger
        typedWord="DELETE"
      >
        <p>{t('inspectionSettings.deleteText')}</p>
        <p>{t('inspectionSettings.deleteEvidence')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'try-again'}
        onClose={() => withdraw('try-again')}
        title={t('settings.tryAgainTitle')}
        confirmLabel={t('settings.tryAgain')}
        onConfirm={confirm}
      >
        {refused !== undefined && (
          <>
            <p>{t(KEY_REFUSALS[refused.reason].fact)}</p>
            <p>
              {t(KEY_REFUSALS[refused.reason].cost, {
                tries: formatCount(refused.tries),
                next: shortTime(refused.nextTryAtMs, Date.now(), zone, locale),
              })}
            </p>
          </>
        )}
      </ConfirmDialog>
    </>
  );
}
