import type { Budget, BudgetState } from '@manager/core/contract/budgets';
import { BUDGET_LIMITS, BUDGET_SCOPES } from '@manager/core/contract/constants';
import { Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { type BudgetChange, useChangeBudget } from '../../../platform/queries/budgets.ts';
import { useKeyNames } from '../../../platform/queries/queries.ts';
import { keyName } from '../../../platform/requests/event-view.ts';
import { fitsRange, type NumberRange } from '../../../platform/wording/number-range.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import type { BudgetChoices } from './budget-names.ts';

const AMOUNT: NumberRange = { least: 0.01, most: BUDGET_LIMITS.usd, decimals: 2 };
const SCOPES = { all: 'budget.all', client_key: 'report.key', model: 'report.model' } as const;

interface BudgetDialogProps {
  /** null = closed. */
  readonly edited: BudgetState | 'new' | null;
  readonly choices: BudgetChoices;
  /** Of a new budget. */
  readonly zone: string;
  readonly onClose: () => void;
}

/** Adds, changes or removes one budget. */
export function BudgetDialog({ edited, choices, zone, onClose }: BudgetDialogProps) {
  const { t } = useText();
  const keyNames = useKeyNames();
  const form = useId();
  const before = edited === null || edited === 'new' ? null : edited;
  const [scope, setScope] = useState<Budget['scope']>(before?.scope ?? 'all');
  const [key, setKey] = useState<string | null>(before?.scope === 'client_key' ? before.name : null);
  const [model, setModel] = useState(before?.scope === 'model' ? before.name : '');
  const [usd, setUsd] = useState<number | null>(before?.usd ?? null);
  const [insist, setInsist] = useState(false);
  const { mutate, isPending, error } = useChangeBudget();
  const name = scope === 'all' ? '' : scope === 'client_key' ? (key ?? '') : model.trim();
  const named = scope === 'all' || name !== '';
  const keys = before?.scope === 'client_key' ? [...new Set([before.name, ...choices.keys])] : choices.keys;
  const change = (next: BudgetChange) => mutate(next, { onSuccess: onClose });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setInsist(true);
    if (!named || usd === null || !fitsRange(usd, AMOUNT)) return;
    change({ before, after: { scope, name, usd, timeZone: before?.timeZone ?? zone } });
  };
  const failure = error === null ? null : failureText(error);
  const missing = insist && !named && t('budget.nameMissing');
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={t(before === null ? 'budget.add' : 'budget.edit')}
      locked={isPending}
      held
      actions={
        <>
          {before !== null && (
            <Button disabled={isPending} onClick={() => change({ before, after: null })}>
              {t('budget.remove')}
            </Button>
          )}
          <Button disabled={isPending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button kind="primary" type="submit" form={form} disabled={isPending}>
            {t('budget.save')}
          </Button>
        </>
      }
    >
      <Stack component="form" id={form} onSubmit={submit}>
        <Segmented
          label={t('budget.for')}
          value={scope}
          options={BUDGET_SCOPES.map((value) => ({ value, label: t(SCOPES[value]) }))}
          onChange={setScope}
        />
        {scope === 'client_key' && (
          <Select
            size="sm"
            label={t('report.key')}
            data={keys.map((hash) => ({ value: hash, label: keyName(hash, keyNames) }))}
            value={key}
            error={missing}
            searchable
            onChange={setKey}
          />
        )}
        {scope === 'model' && (
          <TextInput
            size="sm"
            label={t('report.model')}
            list={`${form}-models`}
            value={model}
            maxLength={BUDGET_LIMITS.name}
            error={missing}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
        )}
        <NumberField
          size="sm"
          label={t('budget.amount')}
          description={t('budget.amountHint', { zone: before?.timeZone ?? zone })}
          unit="USD"
          range={AMOUNT}
          value={usd}
          insist={insist}
          data-autofocus
          onChange={setUsd}
        />
        <datalist id={`${form}-models`}>
          {choices.models.map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        {failure !== null && (
          <p className="tone-bad" role="alert">
            {t(failure.key, failure.values)}
          </p>
        )}
      </Stack>
    </Dialog>
  );
}
