import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { MAX_WEIGHT } from '../model/config-form.ts';

export type ValueKind = 'priority' | 'weight';

/** Asks for a number to set for all selected accounts. */
export function ValueDialog({
  kind,
  count,
  onSave,
  onClose,
}: {
  readonly kind: ValueKind | null;
  readonly count: number;
  /** null = the value is removed. */
  readonly onSave: (kind: ValueKind, value: number | null) => void;
  readonly onClose: () => void;
}) {
  const { t } = useText();
  return (
    <Dialog
      opened={kind !== null}
      onClose={onClose}
      title={t(kind === 'weight' ? 'accounts.setWeight' : 'accounts.setPriority')}
    >
      {kind !== null && <ValueForm kind={kind} count={count} onSave={onSave} onClose={onClose} />}
    </Dialog>
  );
}

function ValueForm({
  kind,
  count,
  onSave,
  onClose,
}: {
  readonly kind: ValueKind;
  readonly count: number;
  readonly onSave: (kind: ValueKind, value: number | null) => void;
  readonly onClose: () => void;
}) {
  const { t } = useText();
  const [text, setText] = useState('');
  const value = text.trim() === '' ? null : Number(text);
  const valid = value === null || (Number.isInteger(value) && (kind === 'priority' || value <= MAX_WEIGHT));
  const hint = t(kind === 'weight' ? 'accountField.weightHint' : 'accountField.priorityHint');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!valid) return;
    onSave(kind, value);
    onClose();
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        size="md"
        label={t('accounts.valueFor', { count })}
        {...(valid ? { description: hint } : { error: hint })}
        data-autofocus
        inputMode="numeric"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" kind="primary" disabled={!valid}>
          {t('accounts.save')}
        </Button>
      </div>
    </form>
  );
}
