import { useText } from '../../platform/i18n/index.ts';

/** What the deletion of archived rows takes away and what it leaves, for a dialog that asks about it. */
export function DeletionEffects() {
  const { t } = useText();
  return (
    <>
      <p style={{ marginTop: 12 }}>
        <b>{t('archives.lostTitle')}</b> {t('archives.lostDetail')}
      </p>
      <p style={{ marginTop: 12 }}>
        <b>{t('archives.staysTitle')}</b> {t('archives.staysDetail')}
      </p>
    </>
  );
}
