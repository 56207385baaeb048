import { Stack } from '@mantine/core';
import { type FormEvent, type Ref, useState } from 'react';
import { NONE } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { AliasField } from './alias-field.tsx';
import { checkAlias } from './alias-rules.ts';
import type { KeyRow } from './key-rows.ts';
import { aliasFailure } from './key-words.ts';
import type { KeyChanges } from './use-key-changes.ts';

/** Address parameters the form depends on. */
const FORM_PARAMETERS: readonly string[] = ['key'];

/** Sets or removes the name of a key; the gateway's list is not changed. */
export function AliasForm({
  row,
  aliases,
  activeHashes,
  changes,
  inputRef,
}: {
  readonly row: KeyRow;
  readonly aliases: ReadonlyMap<string, string>;
  readonly activeHashes: ReadonlySet<string> | null;
  readonly changes: KeyChanges;
  readonly inputRef: Ref<HTMLInputElement>;
}) {
  const { t } = useText();
  const masker = useMasker();
  const [alias, setAlias] = useState(row.alias);
  /** The name that is edited, and the one that was listed last: after a save the list may be older. */
  const [base, setBase] = useState(row.alias);
  const [listed, setListed] = useState(row.alias);
  const [told, setTold] = useState(false);
  const [takeOver, setTakeOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [error, setError] = useState('');
  const verdict = checkAlias(alias, { hash: row.hash, aliases, activeHashes });
  const dirty = alias.trim() !== base;
  if (row.alias !== listed && !dirty) {
    setListed(row.alias);
    setBase(row.alias);
    setAlias(row.alias);
  }
  const { question } = useLeaveQuestion(dirty, FORM_PARAMETERS);
  const run = async (name: string, takeFromOrphan: readonly string[] | null) => {
    setBusy(true);
    setError('');
    try {
      const outcome = await changes.saveName({ hash: row.hash, seen: base, alias: name, takeFromOrphan });
      if (outcome.kind === 'changed') {
        setBase(outcome.alias);
        setError(t('clientKeys.aliasChanged', { name: shown(masker.account(outcome.alias)) || NONE }));
      } else if (outcome.kind === 'unknown') setError(t('clientKeys.aliasUnknown'));
      else {
        setListed(row.alias);
        setBase(name);
        setAlias(name);
        setDone(true);
        setTold(false);
        setTakeOver(false);
      }
    } catch (failure) {
      setError(aliasFailure(failure, t));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || !dirty) return;
    setTold(true);
    if (verdict.kind === 'problem' || (verdict.kind === 'orphan' && !takeOver)) return;
    const keys = verdict.kind === 'orphan' ? [...(activeHashes ?? [])] : null;
    void run(alias.trim(), keys);
  };
  return (
    <>
      <Stack component="form" onSubmit={submit}>
        <AliasField
          value={alias}
          onChange={(next) => {
            setAlias(next);
            setError('');
            setDone(false);
          }}
          label={t('clientKeys.alias')}
          verdict={verdict}
          told={told}
          error={error}
          takeOver={takeOver}
          onTakeOver={setTakeOver}
          disabled={busy}
          inputRef={inputRef}
        />
        <div className="row">
          <Button type="submit" kind="primary" disabled={busy || !dirty} aria-busy={busy}>
            {t('clientKeys.saveAlias')}
          </Button>
          {base !== '' && (
            <Button disabled={busy} onClick={() => void run('', null)}>
              {t('clientKeys.removeAlias')}
            </Button>
          )}
          <span role="status" className="small ink-3">
            {done && !dirty ? t('clientKeys.aliasSaved') : ''}
          </span>
        </div>
      </Stack>
      {question}
    </>
  );
}
