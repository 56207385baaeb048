import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useText } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { ALL_ENTRIES, type NavigationEntry } from './navigation.ts';

interface JumpProps {
  readonly opened: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onFollow: () => void;
}

/** Opens any page by a part of its name, in the chosen language or by its path. */
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
      <button type="button" className="jump" onClick={onOpen} aria-label={t('shell.jump')}>
        <Icon name="search" />
        <span>{t('shell.jump')}</span>
        <span className="spacer" />
        <kbd className="key-cap">{/Mac/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <Modal opened={opened} onClose={onClose} title={t('shell.jump')} size={480} transitionProps={{ duration: 120 }}>
        <JumpList
          onChoose={() => {
            onClose();
            onFollow();
          }}
        />
      </Modal>
    </>
  );
}

function JumpList({ onChoose }: { readonly onChoose: () => void }) {
  const { t } = useText();
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const wanted = text.trim().toLowerCase();
  const found = ALL_ENTRIES.filter((entry) => `${t(entry.label)} ${entry.path}`.toLowerCase().includes(wanted));
  const choose = (entry: NavigationEntry | undefined) => {
    if (entry === undefined) return;
    onChoose();
    void navigate({ to: entry.path, search: entry.view === undefined ? {} : { view: [entry.view] } });
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') choose(found[index]);
    else if (event.key === 'ArrowDown') setIndex(Math.min(index + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setIndex(Math.max(index - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="field large" style={{ marginBottom: 8 }}>
        <Icon name="search" />
        <input
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={found[index] ? `${listId}-${index}` : undefined}
          aria-label={t('shell.jump')}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setIndex(0);
          }}
          onKeyDown={onKey}
        />
      </div>
      <div role="listbox" id={listId} aria-label={t('shell.pages')}>
        {found.map((entry, position) => (
          <div
            key={entry.label}
            id={`${listId}-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === index}
            className="nav-item"
            style={position === index ? { background: 'var(--sunken)' } : undefined}
            onMouseMove={() => setIndex(position)}
            onClick={() => choose(entry)}
            onKeyDown={() => {}}
          >
            <Icon name={entry.icon} />
            {t(entry.label)}
          </div>
        ))}
        {found.length === 0 && <div className="ink-3">{t('shell.noPage')}</div>}
      </div>
    </>
  );
}
