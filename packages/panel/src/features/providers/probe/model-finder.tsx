import { isSuccess } from '@manager/core/accounts/api-call';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { maskLog } from '../../../platform/format/mask.ts';
import { shown } from '../../../platform/format/shown.ts';
import { type Entry, keysOf, modelsOf } from '../../../platform/gateway/providers/entry.ts';
import type { Kind } from '../../../platform/gateway/providers/kinds.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { askProvider, knownModels, type ReadModels } from './ask-provider.ts';
import { listedModels, modelListCall } from './probe.ts';

const NONE: ReadonlySet<string> = new Set();
/** Longer lists are searched, not scrolled. */
const MAX_SHOWN = 200;

interface FinderProps {
  readonly opened: boolean;
  readonly kind: Kind;
  readonly entry: Entry;
  readonly onClose: () => void;
  readonly onAdd: (names: readonly string[]) => void;
}

/** Models of the provider, or those the gateway knows of its kind, to choose from. */
export function ModelFinder(props: FinderProps) {
  const { t } = useText();
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={t('providers.findModels')} size="review">
      <Finder {...props} />
    </Dialog>
  );
}

function Finder({ kind, entry, onClose, onAdd }: FinderProps) {
  const { t } = useText();
  const { client } = useServices();
  const [names, setNames] = useState<readonly string[] | null>(null);
  const [chosen, setChosen] = useState(NONE);
  const [search, setSearch] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [key] = keysOf(kind, entry);
  const request = key === undefined ? null : modelListCall(kind, entry, key);

  const load = async (read: ReadModels) => {
    setBusy(true);
    setError('');
    try {
      const found = await read();
      if (found !== null) setNames(found);
    } catch (failure) {
      const { key: text, values } = failureText(failure);
      setError(t(text, values));
    }
    setBusy(false);
  };
  const fromProvider = async () => {
    if (request === null) return null;
    const { status, body } = await askProvider(client, request);
    const listed = isSuccess(status) ? listedModels(body) : null;
    if (listed === null) setError(`${status || ''} ${shown(maskLog(body), 400)}`.trim());
    return listed;
  };

  const had = new Set(modelsOf(entry).map(({ name }) => name));
  const found = (names ?? []).filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <>
      <p className="dialog-text">{t('providers.findText')}</p>
      <div className="row" style={{ marginTop: 12 }}>
        {request !== null && (
          <Button disabled={busy} aria-busy={busy} onClick={() => void load(fromProvider)}>
            {t('providers.askList')}
          </Button>
        )}
        {kind.channel !== '' && (
          <Button disabled={busy} onClick={() => void load(() => knownModels(client, kind))}>
            {t('providers.knownList')}
          </Button>
        )}
      </div>
      {error !== '' && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
      {names !== null && (
        <>
          <TextInput
            mt="md"
            label={t('providers.filterModels')}
            value={search}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <p className="small ink-3" role="status">
            {t('providers.modelsFound', { count: found.length })}
          </p>
          <ul className="pick-list">
            {found.slice(0, MAX_SHOWN).map((name) => (
              <li key={name}>
                <label className="tick">
                  <input
                    type="checkbox"
                    checked={had.has(name) || chosen.has(name)}
                    disabled={had.has(name)}
                    onChange={(event) => {
                      const next = new Set(chosen);
                      if (event.currentTarget.checked) next.add(name);
                      else next.delete(name);
                      setChosen(next);
                    }}
                  />
                  <span className="mono">{shown(name)}</span>
                </label>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button
          kind="primary"
          disabled={chosen.size === 0}
          onClick={() => {
            onAdd([...chosen]);
            onClose();
          }}
        >
          {t('providers.addModels', { count: chosen.size })}
        </Button>
      </div>
    </>
  );
}
