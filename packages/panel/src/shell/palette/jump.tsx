import { Modal } from '@mantine/core';
import { useEffect } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Icon } from '../../ui/icons.tsx';
import { Palette } from './palette.tsx';

interface JumpProps {
  readonly opened: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onFollow: () => void;
}

const SHORTCUT = /Mac/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

/** Opens the command palette: by its button in the sidebar, and by Ctrl or ⌘ K. */
export function Jump({ opened, onOpen, onClose, onFollow }: JumpProps) {
  const { t } = useText();
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onOpen();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onOpen]);
  return (
    <>
      {/* Named by its text, and by its title where only the icon is shown. */}
      <button type="button" className="jump" onClick={onOpen} title={t('shell.jump')}>
        <Icon name="search" />
        <span>{t('shell.jump')}</span>
        <span className="spacer" />
        <kbd className="key-cap">{SHORTCUT}</kbd>
      </button>
      <Modal
        opened={opened}
        onClose={onClose}
        title={t('shell.jump')}
        size={560}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Palette
          onChoose={() => {
            onClose();
            onFollow();
          }}
        />
      </Modal>
    </>
  );
}
