import { Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../../platform/accounts/account.ts';
import { ACCOUNTS_KEY, downloadFile } from '../../../platform/accounts/account-calls.ts';
import type { AccountRow } from '../../../platform/accounts/rows.ts';
import { fromQuery } from '../../../platform/api/data-source.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { useServices } from '../../../platform/api/services.ts';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import type { CellContext } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DrawerSkeleton } from '../../../ui/dialog/drawer-skeleton.tsx';
import { useLeaveQuestion } from '../../../ui/dialog/leave-question.tsx';
import { SourceView } from '../../../ui/feedback/source-view.tsx';
import { failureText, UnsupportedState } from '../../../ui/feedback/states.tsx';
import { configCalls } from '../model/config-calls.ts';
import {
  type ConfigField,
  type ConfigValues,
  changedFields,
  fieldsOf,
  invalidField,
  readConfig,
  readLastRefresh,
} from '../model/config-form.ts';
import { type Saved, saveConfig, withTyped } from '../model/save-config.ts';
import { ConfigFieldRow } from './config-field.tsx';
import { TokenRefresh } from './token-refresh.tsx';

interface ConfigTabProps {
  readonly row: AccountRow;
  readonly context: CellContext;
}

/** Editable fields of the auth file. The file is read for them, and only they are kept. */
export function ConfigTab({ row, context }: ConfigTabProps) {
  const { t } = useText();
  const { client } = useServices();
  const { account } = row;
  const fields = fieldsOf(account.listed.provider);
  const query = useQuery({
    queryKey: [ACCOUNTS_KEY, 'config', account.key],
    enabled: !account.runtimeOnly,
    // A form must not change while somebody edits it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const file = await downloadFile(client, account.listed.name, signal);
      return { values: readConfig(file, fields), lastRefreshMs: readLastRefresh(file) };
    },
  });
  if (account.runtimeOnly) return <UnsupportedState title={t('configTab.noFile')} text={t('configTab.noFileText')} />;
  return (
    <>
      <SourceView source={fromQuery(query)} loading={<DrawerSkeleton />} errorTitle={t('configTab.failed')}>
        {({ values }) =>
          values === null ? (
            <UnsupportedState title={t('configTab.noJson')} text={t('configTab.noJsonText')} />
          ) : (
            <ConfigForm key={account.key} account={account} fields={fields} saved={values} context={context} />
          )
        }
      </SourceView>
      <TokenRefresh key={account.key} row={row} fileRefreshMs={query.data?.lastRefreshMs ?? null} context={context} />
    </>
  );
}

type SaveState = { readonly kind: 'idle' | 'saving' } | Saved | { readonly kind: 'failed'; readonly error: unknown };

/** Address parameters the form depends on. */
const FORM_PARAMETERS: readonly string[] = ['account', 'tab'];

function ConfigForm({
  account,
  fields,
  saved,
  context,
}: {
  readonly account: Account;
  readonly fields: readonly ConfigField[];
  readonly saved: ConfigValues;
  readonly context: CellContext;
}) {
  const { t } = useText();
  const { client } = useServices();
  const queries = useQueryClient();
  const [base, setBase] = useState(saved);
  const [values, setValues] = useState(saved);
  const [state, setState] = useState<SaveState>({ kind: 'idle' });
  /** What was read last: after a save it is older than the answer. */
  const [seen, setSeen] = useState(saved);
  const changed = changedFields(base, values, fields);
  if (seen !== saved && changed.length === 0) {
    setSeen(saved);
    setBase(saved);
    setValues(saved);
  }
  const invalid = invalidField(values, fields);
  const saving = state.kind === 'saving';
  const { question } = useLeaveQuestion(changed.length > 0, FORM_PARAMETERS);

  const save = async () => {
    setState({ kind: 'saving' });
    try {
      const outcome = await saveConfig(base, values, fields, configCalls(client, account, fields));
      if (outcome.kind !== 'unknown') {
        setSeen(saved);
        setBase(outcome.values);
        setValues(outcome.kind === 'conflict' ? withTyped(base, values, outcome.values, fields) : outcome.values);
      }
      setState(outcome);
      if (outcome.kind !== 'conflict') await queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'files'] });
    } catch (error) {
      setState({ kind: 'failed', error });
      if (error instanceof ApiError && (error.status === 409 || error.status === 404))
        await queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'files'] });
    }
  };
  return (
    <section>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (changed.length > 0 && invalid === null && !saving) void save();
        }}
      >
        {fields.map((field) => (
          <ConfigFieldRow
            key={field.name}
            field={field}
            value={values[field.name] ?? null}
            invalid={invalid === field.name}
            disabled={saving}
            context={context}
            onChange={(value) => {
              setValues((before) => ({ ...before, [field.name]: value }));
              setState({ kind: 'idle' });
            }}
          />
        ))}
        {changed.length > 0 && (
          <>
            <h3>{t('configTab.changes')}</h3>
            <ul className="small ink-2 wrap">
              {changed.map((field) => (
                <li key={field.name}>
                  {t(field.label)}: <DiffValue value={base[field.name] ?? null} context={context} /> →{' '}
                  <DiffValue value={values[field.name] ?? null} context={context} />
                </li>
              ))}
            </ul>
          </>
        )}
        <SaveNote state={state} />
        <Group mt="sm">
          <Button
            type="submit"
            kind="primary"
            disabled={changed.length === 0 || invalid !== null || saving}
            aria-busy={saving}
          >
            {t(state.kind === 'conflict' ? 'prices.saveMine' : 'accounts.save')}
          </Button>
          <Button
            disabled={changed.length === 0 || saving}
            onClick={() => {
              setValues(base);
              setState({ kind: 'idle' });
            }}
          >
            {t('configTab.reset')}
          </Button>
        </Group>
      </form>
      {question}
    </section>
  );
}

function DiffValue({ value, context }: { readonly value: string | boolean | null; readonly context: CellContext }) {
  const { t } = useText();
  if (value === null) return <i>{t('configTab.unset')}</i>;
  if (typeof value === 'boolean') return t(value ? 'common.on' : 'common.off');
  return value === '' ? (
    <i>{t('configTab.empty')}</i>
  ) : (
    <span className="mono">{shown(context.masker.log(value), 120)}</span>
  );
}

function SaveNote({ state }: { readonly state: SaveState }) {
  const { t } = useText();
  switch (state.kind) {
    case 'saved':
      return (
        <p className="tone-ok" role="status">
          {t('configTab.saved')}
        </p>
      );
    case 'conflict':
      return (
        <p className="tone-bad" role="alert">
          {t('configTab.conflict', { fields: state.fields.map(({ label }) => t(label)).join(', ') })}
        </p>
      );
    case 'different':
      return (
        <p className="tone-warn" role="alert">
          {t('configTab.different', { fields: state.fields.map(({ label }) => t(label)).join(', ') })}
        </p>
      );
    case 'unknown':
      return (
        <p className="tone-bad" role="alert">
          {t('configTab.unknown')}
        </p>
      );
    case 'failed': {
      const { error } = state;
      if (error instanceof ApiError && error.status === 409) {
        return (
          <p className="tone-bad" role="alert">
            {t('accountDone.changed')}
          </p>
        );
      }
      const failure = failureText(error);
      const words = error instanceof ApiError && error.kind === 'status' ? shown(error.message, 200) : '';
      return (
        <p className="tone-bad" role="alert">
          {words === '' ? t(failure.key, failure.values) : `${t('accountActions.reports')} ${words}`}
        </p>
      );
    }
    default:
      return null;
  }
}
