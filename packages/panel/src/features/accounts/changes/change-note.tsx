import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { Account } from '../../../platform/accounts/account.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import type { Masker } from '../../../platform/format/mask.ts';
import { shown } from '../../../platform/format/shown.ts';
import { type TextKey, type Translate, useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { accountTitle } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { again, type Command, type Ending, type Outcome } from './batch.ts';
import type { AccountChanges, Switched } from './use-account-changes.ts';

const DONE: Readonly<Record<Command['kind'], { readonly one: TextKey; readonly many: TextKey }>> = {
  enable: { one: 'accountDone.enabled', many: 'accountDone.enabledMany' },
  disable: { one: 'accountDone.disabled', many: 'accountDone.disabledMany' },
  priority: { one: 'accountDone.saved', many: 'accountDone.priorityMany' },
  weight: { one: 'accountDone.saved', many: 'accountDone.weightMany' },
  websockets: { one: 'accountDone.saved', many: 'accountDone.websocketsMany' },
  download: { one: 'accountDone.downloaded', many: 'accountDone.downloadedMany' },
  resetLimits: { one: 'accountDone.limitsReset', many: 'accountDone.limitsResetMany' },
  delete: { one: 'accountDone.deleted', many: 'accountDone.deletedMany' },
  restore: { one: 'accountDone.restored', many: 'accountDone.restoredMany' },
};

const NOT_DONE: Readonly<Partial<Record<Ending['kind'], TextKey>>> = {
  lost: 'accountDone.lost',
  notDeleted: 'accountDone.notDeleted',
  different: 'accountDone.saved',
};

interface NotesProps {
  readonly changes: AccountChanges;
  /** Asks again before files are deleted: they may hold other accounts by now. */
  readonly onDelete: (accounts: readonly Account[]) => void;
}

/** Outcome of the last commands; changes of a single account can be undone. */
export function ChangeNotes({ changes, onDelete }: NotesProps) {
  return (
    <>
      {changes.switched.map((one) => (
        <SwitchNote key={one.account.key} switched={one} changes={changes} />
      ))}
      <RunNote changes={changes} onDelete={onDelete} />
    </>
  );
}

function SwitchNote({
  switched: { account, kind },
  changes,
}: {
  readonly switched: Switched;
  readonly changes: AccountChanges;
}) {
  const { t } = useText();
  const masker = useMasker();
  // The account as the change left it, which the undo expects.
  const now: Account = { ...account, listed: { ...account.listed, disabled: kind === 'disable' } };
  return (
    <Note
      tone="ok"
      fact={t(DONE[kind].one, { name: accountTitle(account, masker) })}
      action={
        <span className="row">
          <Button
            disabled={changes.busy.has(account.key)}
            onClick={() => void changes.act({ kind: kind === 'disable' ? 'enable' : 'disable' }, [now])}
          >
            {t('accounts.undo')}
          </Button>
          <Button onClick={() => changes.dismissSwitch(account.key)}>{t('common.close')}</Button>
        </span>
      }
    />
  );
}

function RunNote({ changes, onDelete }: NotesProps) {
  const { t } = useText();
  const masker = useMasker();
  const [open, setOpen] = useState(false);
  const { run, dismiss } = changes;
  if (run === null) return null;
  const { command, outcomes, total, vanished, running, deleted } = run;
  if (running) {
    // A single one shows progress at its switch.
    if (total === 1) return null;
    return <Note tone="wait" fact={t('accountActions.running', { done: outcomes.length, count: total })} />;
  }
  const close = <Button onClick={dismiss}>{t('common.close')}</Button>;
  const restore = () => {
    const accounts = outcomes.map(({ account }) => account).filter(({ listed }) => deleted.has(listed.name));
    void changes.act({ kind: 'restore', files: deleted }, accounts);
  };
  const undo = deleted.size > 0 && <Button onClick={restore}>{t('accounts.undo')}</Button>;
  const failed = outcomes.filter(({ ending }) => ending.kind !== 'done');
  const lost = failed.filter(({ ending }) => ending.kind === 'lost').length;
  const retry = () => {
    const accounts = failed.map(({ account }) => account);
    if (command.kind === 'delete') onDelete(accounts);
    else void changes.act(again(command, failed), accounts);
  };
  const [only] = outcomes;
  if (total === 1 && only !== undefined) {
    const name = accountTitle(only.account, masker);
    if (only.ending.kind !== 'done') {
      const mine = only.ending.kind === 'conflict' && <Button onClick={retry}>{t('prices.saveMine')}</Button>;
      const action = (
        <span className="row">
          {mine}
          {close}
        </span>
      );
      return (
        <Note tone="bad" fact={t(NOT_DONE[only.ending.kind] ?? 'accountDone.notChanged', { name })} action={action}>
          {endingText(only.ending, t, masker)}
        </Note>
      );
    }
    const action = (
      <span className="row">
        {undo}
        {close}
      </span>
    );
    return <Note tone="ok" fact={t(DONE[command.kind].one, { name })} action={action} />;
  }
  return (
    <>
      <Note
        tone={failed.length > 0 ? 'bad' : 'ok'}
        fact={t(DONE[command.kind].many, { count: outcomes.length - failed.length })}
        action={
          <span className="row">
            {failed.length > 0 && (
              <Button onClick={retry}>{t('accounts.retryFailed', { count: failed.length })}</Button>
            )}
            {undo}
            <Button onClick={() => setOpen(true)}>{t('accounts.results')}</Button>
            {close}
          </span>
        }
      >
        {lost > 0 && `${t('accountDone.lostMany', { count: lost })} `}
        {failed.length > lost && `${t('accountDone.failedMany', { count: failed.length - lost })} `}
        {vanished > 0 && t('accountDone.vanished', { count: vanished })}
      </Note>
      <Dialog opened={open} onClose={() => setOpen(false)} title={t('accounts.results')} size="review">
        <Stack component="ul" gap="sm" mah="50vh" my="sm" style={{ overflowY: 'auto' }} className="wrap">
          {outcomes.map((outcome) => (
            <ResultLine key={outcome.account.key} outcome={outcome} />
          ))}
        </Stack>
      </Dialog>
    </>
  );
}

function ResultLine({ outcome }: { readonly outcome: Outcome }) {
  const { t } = useText();
  const masker = useMasker();
  const done = outcome.ending.kind === 'done';
  return (
    <li>
      <Status tone={done ? 'okQuiet' : 'bad'}>{accountTitle(outcome.account, masker)}</Status>
      {!done && <div className="small ink-2">{endingText(outcome.ending, t, masker)}</div>}
    </li>
  );
}

function endingText(ending: Ending, t: Translate, masker: Masker): string {
  switch (ending.kind) {
    case 'done':
      return '';
    case 'changed':
      return `${t('accountDone.changed')} ${t('accountActions.reports')} ${shown(masker.text(ending.message))}`;
    case 'gone':
      return t('accountDone.gone');
    case 'lost':
      return t('accountDone.lostText');
    case 'notDeleted':
      return t('accountDone.notDeletedText');
    case 'conflict':
    case 'different': {
      const { field, now } = ending;
      const value =
        now === null ? t('configTab.unset') : typeof now === 'string' ? now : t(now ? 'common.on' : 'common.off');
      return t(ending.kind === 'conflict' ? 'accountDone.conflict' : 'accountDone.different', {
        field: t(field),
        value,
      });
    }
    case 'failed': {
      const { error } = ending;
      if (error instanceof ApiError && error.code === 'not_confirmed') return t('accountDone.notConfirmed');
      const failure = failureText(error);
      const words = error instanceof ApiError && error.kind === 'status' ? shown(masker.text(error.message)) : '';
      return words === '' ? t(failure.key, failure.values) : `${t('accountActions.reports')} ${words}`;
    }
  }
}
