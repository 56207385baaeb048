import { Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { KeyField } from '../../../ui/controls/key-field.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { AliasField } from '../alias-field.tsx';
import { checkAlias, retiredAlias } from '../alias-rules.ts';
import type { NewKeyNames } from '../key-changes.ts';
import { aliasFailure, keyTitle } from '../key-words.ts';
import { DEFAULT_PREFIX, generateKey, isPrefix, keyProblem, keyStrength } from './key-text.ts';
import type { NewKeyDialogProps } from './new-key.ts';

const STRENGTHS = {
  weak: { tone: 'bad', label: 'clientKeys.weak' },
  fair: { tone: 'warn', label: 'clientKeys.fair' },
  strong: { tone: 'okQuiet', label: 'clientKeys.strong' },
} as const;

const NOT_ADDED = {
  listed: 'clientKeys.keyListed',
  missing: 'clientKeys.keyMissing',
  unknown: 'clientKeys.addUnknown',
} as const;

const fill = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

interface NewKeyFormProps extends NewKeyDialogProps {
  readonly busy: boolean;
  readonly onBusy: (busy: boolean) => void;
}

export function NewKeyForm(props: NewKeyFormProps) {
  const { onClose, successorOf, rows, aliases, named, activeHashes, changes, busy, onBusy, onStored } = props;
  const { t } = useText();
  const masker = useMasker();
  const [origin, setOrigin] = useState<'generated' | 'typed'>('generated');
  const [prefix, setPrefix] = useState(DEFAULT_PREFIX);
  const [generated, setGenerated] = useState(() => generateKey(DEFAULT_PREFIX, fill));
  const [typed, setTyped] = useState('');
  const [alias, setAlias] = useState('');
  const [takeOver, setTakeOver] = useState(false);
  const [moves, setMoves] = useState(true);
  const [told, setTold] = useState(false);
  const [error, setError] = useState('');
  const [copied, copy] = useCopied();
  const running = useRef(false);
  /** A key that the gateway may have added without an answer. */
  const [unsure, setUnsure] = useState('');

  const key = origin === 'generated' ? generated : typed;
  const listed = new Set(rows.flatMap((row) => row.key ?? []));
  listed.delete(unsure);
  const problem = keyProblem(key, listed);
  const oldAlias = successorOf?.alias ?? '';
  const handsOver = oldAlias !== '' && moves;
  const retired = retiredAlias(oldAlias, t('clientKeys.oldWord'), aliases);
  const wanted = alias.trim() !== '' && !handsOver && named;
  /** A name of its own leads from the new key to what the replaced one did. */
  const namesOld = wanted && successorOf !== null && oldAlias === '';
  const verdict = wanted ? checkAlias(alias, { hash: '', aliases, activeHashes }) : ({ kind: 'fine' } as const);

  const makeAnother = (nextPrefix: string) => {
    setPrefix(nextPrefix);
    if (isPrefix(nextPrefix)) setGenerated(generateKey(nextPrefix, fill));
  };
  const namesOf = (): NewKeyNames | null => {
    if (handsOver && successorOf !== null) {
      return { own: oldAlias, others: new Map([[successorOf.hash, retired]]), takeFromOrphan: null };
    }
    if (!wanted) return null;
    const own = alias.trim();
    return {
      own,
      others: new Map(namesOld ? [[successorOf.hash, retiredAlias(own, t('clientKeys.oldWord'), aliases)]] : []),
      takeFromOrphan: verdict.kind === 'orphan' ? [...activeHashes] : null,
    };
  };
  const store = async () => {
    running.current = true;
    onBusy(true);
    setError('');
    try {
      const outcome = await changes.add(key, namesOf(), unsure === key);
      if (outcome.kind === 'unknown') setUnsure(key);
      if (outcome.kind === 'added') {
        const aliasError = outcome.aliasError === null ? '' : aliasFailure(outcome.aliasError, t);
        const follows = aliasError === '' && (handsOver || namesOld);
        onStored({ key: key.trim(), hash: outcome.hash, aliasError, follows });
      } else setError(t(NOT_ADDED[outcome.kind]));
    } catch (failure) {
      const { key: text, values } = failureText(failure);
      setError(`${t('clientKeys.notAdded')} ${t(text, values)}`);
    } finally {
      running.current = false;
      onBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTold(true);
    const aliasOpen = verdict.kind === 'problem' || (verdict.kind === 'orphan' && !takeOver);
    if (running.current || problem !== null || aliasOpen || (origin === 'generated' && !isPrefix(prefix))) return;
    void store();
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <p className="dialog-text">
        {successorOf === null
          ? t('clientKeys.newText')
          : t('clientKeys.rotateText', { key: keyTitle(successorOf, masker) })}
      </p>
      <Segmented
        label={t('clientKeys.origin')}
        value={origin}
        options={[
          { value: 'generated', label: t('clientKeys.generated') },
          { value: 'typed', label: t('clientKeys.typed') },
        ]}
        onChange={setOrigin}
      />
      {origin === 'generated' && (
        <TextInput
          size="md"
          label={t('clientKeys.prefix')}
          {...(isPrefix(prefix) ? { description: t('clientKeys.prefixHint') } : { error: t('clientKeys.prefixHint') })}
          classNames={{ input: 'mono' }}
          value={prefix}
          autoComplete="off"
          spellCheck={false}
          disabled={busy}
          onChange={(event) => makeAnother(event.currentTarget.value)}
        />
      )}
      <div className="form-row">
        <KeyField
          label={t('clientKeys.key')}
          value={key}
          onChange={(next) => {
            // A generated key that is edited counts as typed.
            setTyped(next);
            setOrigin('typed');
            setError('');
          }}
          autoComplete="off"
          disabled={busy}
          description={
            origin === 'generated'
              ? t('clientKeys.generatedHint')
              : key !== '' && (
                  <Status tone={STRENGTHS[keyStrength(key)].tone}>{t(STRENGTHS[keyStrength(key)].label)}</Status>
                )
          }
          error={told && problem !== null && <span role="alert">{t(problem)}</span>}
        />
        <Group>
          <Button disabled={key === ''} onClick={() => copy(key.trim())}>
            <Icon name={copied ? 'check' : 'copy'} />
            {copied ? t('common.copied') : t('clientKeys.copyKey')}
          </Button>
          {origin === 'generated' && (
            <Button disabled={busy} onClick={() => makeAnother(prefix)}>
              <Icon name="refresh" />
              {t('clientKeys.another')}
            </Button>
          )}
        </Group>
      </div>
      {oldAlias !== '' && (
        <label className="row tick">
          <input
            type="checkbox"
            checked={moves}
            disabled={busy}
            onChange={(event) => setMoves(event.currentTarget.checked)}
          />
          <span>
            {t('clientKeys.moveAlias', {
              alias: shown(masker.account(oldAlias)),
              retired: shown(masker.account(retired)),
            })}
          </span>
        </label>
      )}
      {named && !handsOver && (
        <AliasField
          value={alias}
          onChange={setAlias}
          label={t('clientKeys.aliasOptional')}
          verdict={verdict}
          told={told}
          error=""
          takeOver={takeOver}
          onTakeOver={setTakeOver}
          disabled={busy}
        />
      )}
      {error !== '' && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
      <div className="dialog-actions">
        {/* The first focus: keys pressed again while the dialog opens must add nothing. */}
        <Button disabled={busy} data-autofocus onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" kind="primary" disabled={busy} aria-busy={busy}>
          {t('clientKeys.add')}
        </Button>
      </div>
    </Stack>
  );
}
