import { Input } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useMode, useServices } from '../../platform/api/services.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useKeyNames } from '../../platform/queries/queries.ts';
import { Icon } from '../../ui/icons.tsx';
import type { PaletteContext, PaletteItem, PaletteSource } from '../../ui/palette-source.ts';
import { MAX_PER_KIND, matchItems } from './search.ts';
import { paletteSources } from './sources.ts';

interface Group {
  readonly source: PaletteSource;
  /** Position of its first item among all. */
  readonly first: number;
  readonly items: readonly PaletteItem[];
}

/** Finds pages, accounts, models, client keys, requests and actions; arrows choose, Enter opens. */
export function Palette({ onChoose }: { readonly onChoose: () => void }) {
  const { t } = useText();
  const navigate = useNavigate();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const { groups, busy } = useGroups(text.trim());
  const items = groups.flatMap((group) => group.items);
  const active = Math.min(index, items.length - 1);
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);

  const choose = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    onChoose();
    if (typeof item.open === 'function') item.open();
    else {
      const { to, params = {}, search = {} } = item.open;
      void navigate({ to, params, search });
    }
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = Math.max(0, items.length - 1);
    if (event.key === 'Enter') choose(items[active]);
    else if (event.key === 'ArrowDown') setIndex(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') setIndex(active <= 0 ? last : active - 1);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Input
        withAria={false}
        size="md"
        leftSection={<Icon name="search" />}
        ref={input}
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        aria-label={t('shell.jump')}
        placeholder={t('palette.placeholder')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKey}
      />
      <div
        role="listbox"
        id={listId}
        aria-label={t('shell.jump')}
        aria-busy={busy}
        style={{ maxHeight: 'min(420px, 60vh)', margin: '8px -8px 4px', overflowY: 'auto' }}
        tabIndex={-1}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields.
          <div key={group.source.id} role="group" aria-label={t(group.source.heading)}>
            <div className="nav-group" aria-hidden="true">
              {t(group.source.heading)}
            </div>
            {group.items.map((item, position) => (
              <Option
                key={item.key}
                id={`${listId}-${group.first + position}`}
                item={item}
                chosen={group.first + position === active}
                onPoint={() => setIndex(group.first + position)}
                onChoose={() => choose(item)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="small ink-3" role="status">
        {items.length === 0 ? t(busy ? 'palette.loading' : 'palette.nothing') : ''}
      </p>
    </>
  );
}

function Option({
  id,
  item,
  chosen,
  onPoint,
  onChoose,
}: {
  readonly id: string;
  readonly item: PaletteItem;
  readonly chosen: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      className="nav-item"
      onMouseMove={onPoint}
      onClick={onChoose}
    >
      <Icon name={item.icon} />
      <span className="ellipsis">{item.label}</span>
      {item.detail !== undefined && <span className="small ink-3 ellipsis">{item.detail}</span>}
    </div>
  );
}

function useGroups(text: string): { readonly groups: readonly Group[]; readonly busy: boolean } {
  const { t } = useText();
  const services = useServices();
  const masker = useMasker();
  const keyNames = useKeyNames();
  const mode = useMode();
  const sources = paletteSources(mode);
  const loaded = useQueries({
    queries: sources.map((source) => ({
      queryKey: ['palette', source.id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => source.load(services, signal),
      staleTime: 60_000,
      // Contains functions, which cannot be compared.
      structuralSharing: false,
    })),
    combine: (results) => ({ items: results.map((one) => one.data), busy: results.some((one) => one.isLoading) }),
  });
  const groups = useMemo(() => {
    const context: PaletteContext = { t, masker, keyNames, services, mode, text };
    const found: Group[] = [];
    let first = 0;
    for (const [position, source] of sources.entries()) {
      if (text === '' && source.found !== 'always') continue;
      const made = loaded.items[position]?.(context) ?? [];
      const matched = source.found === 'made' ? made : matchItems(made, text);
      // Without a search text, all pages are listed, as in the sidebar.
      const items = text === '' ? matched : matched.slice(0, MAX_PER_KIND);
      if (items.length === 0) continue;
      found.push({ source, first, items });
      first += items.length;
    }
    return found;
  }, [t, masker, keyNames, services, mode, sources, text, loaded.items]);
  return { groups, busy: loaded.busy };
}
