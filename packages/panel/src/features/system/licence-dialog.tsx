import { Box } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ISC_TEXT, MIT_TEXT, THIRD_PARTY } from './third-party.ts';

/** The packages in this page, with the notices their licences require. */
export function LicenceDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useText();
  return (
    <Dialog opened={opened} onClose={onClose} title={t('system.licences')} size="review">
      <div className="dialog-text">
        <p>{t('system.licenceText')}</p>
        <Box component="ul" my="md">
          {THIRD_PARTY.map(({ name, holder, license = 'MIT' }) => (
            <li key={name}>
              <span className="mono">{name}</span>{' '}
              <span className="ink-3">
                © {holder} · {license}
              </span>
            </li>
          ))}
        </Box>
        <pre className="technical" lang="en">
          {MIT_TEXT}
        </pre>
        <pre className="technical" lang="en">
          {ISC_TEXT}
        </pre>
      </div>
    </Dialog>
  );
}
