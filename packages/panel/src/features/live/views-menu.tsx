import { Popover } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useStore } from '../../app/store.ts';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { useCopied } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { LiveSearch } from './live-search.ts';
import { MOST_NAME, queryOf, removeView, saveView, searchOf, viewsStore } from './saved-views.ts';

/** Views under a name, kept in this browser; each is also an address that others can open. */
export function ViewsMenu({
  search,
  onChange,
}: {
  readonly search: LiveSearch;
  readonly onChange: (next: LiveSearch) => void;
}) {
  const { t } = useText();
  const views = useStore(viewsStore);
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [copied, copy] = useCopied();
  const query = queryOf(search);
  const save = (event: FormEvent) => {
    event.preventDefault();
    saveView(name, search);
    setName('');
  };
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={320}
      trapFocus
      returnFocus
      shadow="none"
      transitionProps={{ duration: 120 }}
    >
      <Popover.Target>
        <Button aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
          <Icon name="bookmark" />
          {t('views.open')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="padded views-menu" aria-label={t('views.title')}>
        {views.length === 0 ? (
          <p className="small ink-2">{t('views.none')}</p>
        ) : (
          <ul className="plain-list" aria-label={t('views.title')}>
            {views.map((view) => (
              <li key={view.name} className="row">
                <button
                  type="button"
                  className="view-link ellipsis"
                  aria-current={view.query === query}
                  onClick={() => {
                    setOpen(false);
                    onChange(searchOf(view));
                  }}
                >
                  {view.name}
                </button>
                <Button
                  kind="quiet"
                  square
                  aria-label={t('views.remove', { name: view.name })}
                  onClick={() => removeView(view.name)}
                >
                  <Icon name="close" />
                </Button>
              </li>
            ))}
          </ul>
        )}
        <form className="row" onSubmit={save}>
          <span className="field">
            <input
              value={name}
              maxLength={MOST_NAME}
              placeholder={t('views.name')}
              aria-label={t('views.name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </span>
          <Button type="submit" disabled={name.trim() === ''}>
            {t('views.save')}
          </Button>
        </form>
        <Button kind="quiet" onClick={() => copy(`${window.location.href.split('?')[0]}${query}`)}>
          <Icon name={copied ? 'check' : 'link'} />
          {copied ? t('common.copied') : t('views.copyLink')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
