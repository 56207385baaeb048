import { Group, Popover, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { parseUrlSearch, stringifyUrlSearch, type UrlSearch } from '../../platform/browser/url-search.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useSavedViews } from '../../platform/preferences/saved-views.ts';
import { Icon } from '../icons.tsx';
import { Button } from './button.tsx';

/**
 * Keeps what a page shows under a name, in this browser, and leads back to it.
 *
 *     <ViewsMenu path="/usage-analytics" search={url} />
 */
export function ViewsMenu({
  path,
  search,
}: {
  readonly path: string;
  /** Of the present address. */
  readonly search: UrlSearch;
}) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const { views, save, remove } = useSavedViews(path);
  const query = stringifyUrlSearch(search);
  const keep = () => {
    save({ name, query });
    setName('');
  };
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={300} trapFocus returnFocus>
      <Popover.Target>
        <Button aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
          {t('views.open')}
          <Icon name="chevronDown" />
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('views.open')}>
        <Stack>
          {views.length === 0 ? (
            <p className="small ink-3">{t('views.none')}</p>
          ) : (
            <ul>
              {views.map((view) => (
                <Group component="li" key={view.name} justify="space-between" wrap="nowrap">
                  <Link
                    to={path}
                    search={parseUrlSearch(view.query)}
                    className="link ellipsis"
                    activeOptions={{ exact: true, includeSearch: true }}
                    onClick={() => setOpen(false)}
                  >
                    {view.name}
                  </Link>
                  <Button
                    kind="quiet"
                    square
                    aria-label={t('views.remove', { name: view.name })}
                    onClick={() => remove(view.name)}
                  >
                    <Icon name="close" />
                  </Button>
                </Group>
              ))}
            </ul>
          )}
          <Group
            component="form"
            align="flex-end"
            wrap="nowrap"
            onSubmit={(event) => {
              event.preventDefault();
              keep();
            }}
          >
            <TextInput
              flex={1}
              label={t('views.name')}
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" large disabled={name.trim() === ''}>
              {t('views.save')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
