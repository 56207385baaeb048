import { useText } from '../../platform/i18n/index.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import type { SettingsFormState } from './use-settings-form.ts';

/** Confirms a save that changes the connection or enables automatic deletion; one after the other. */
export function SaveQuestions({ settings }: { readonly settings: SettingsFormState }) {
  const { t } = useText();
  const { asked, confirm, withdraw } = settings;
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
    </>
  );
}
