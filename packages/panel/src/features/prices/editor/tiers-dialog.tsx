import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';

/** Shown when base prices change and a catalog's tiers stay unchanged. */
export function TiersDialog({
  opened,
  onClose,
  onKeep,
  onDrop,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onKeep: () => void;
  readonly onDrop: () => void;
}) {
  const { t } = useText();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('prices.tiersTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button onClick={onDrop}>{t('prices.tiersDrop')}</Button>
          <Button kind="primary" data-autofocus onClick={onKeep}>
            {t('prices.tiersKeep')}
          </Button>
        </>
      }
    >
      <p className="dialog-text">{t('prices.tiersText')}</p>
    </Dialog>
  );
}
