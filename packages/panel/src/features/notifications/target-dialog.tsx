import { NOTIFICATION_LIMITS } from '@manager/core/contract/notifications/kinds';
import type { NotificationTarget } from '@manager/core/contract/notifications/targets';
import { Stack } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '../../platform/api/errors.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog/dialog.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { useRemoveTarget, useSaveTarget } from './notification-calls.ts';
import { ServiceFields } from './service-fields.tsx';
import { WhatFields, WhenFields } from './target-fields.tsx';
import { formOf, newForm, problemOf, requestOf, type TargetForm } from './target-form.ts';

interface TargetDialogProps {
  readonly opened: boolean;
  /** null = a new one. */
  readonly stored: NotificationTarget | null;
  readonly onClose: () => void;
}

/** Adds, changes or deletes a target. */
export function TargetDialog({ opened, stored, onClose }: TargetDialogProps) {
  const { t } = useText();
  const [dirty, setDirty] = useState(false);
  const [busy, setBusy] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const remove = useRemoveTarget();
  const { question, leave, letGo } = useLeaveQuestion(opened && dirty, ['target']);
  const end = () => {
    letGo();
    onClose();
  };
  return (
    <>
      <Dialog
        opened={opened}
        onClose={() => leave(onClose)}
        size="review"
        locked={busy}
        held={dirty}
        title={t(stored === null ? 'notifications.addTitle' : 'notifications.editTitle')}
      >
        {/* Mounted with the dialog: no typed secret outlives it. */}
        <TargetEditor
          key={stored?.id ?? 'new'}
          stored={stored}
          onDirty={setDirty}
          onBusy={setBusy}
          onDelete={() => setDeleting(true)}
          onCancel={() => leave(onClose)}
          onSaved={end}
        />
      </Dialog>
      <ConfirmDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        title={t('notifications.deleteTitle')}
        confirmLabel={t('notifications.delete')}
        danger
        onConfirm={async () => {
          if (stored === null) return;
          await remove.mutateAsync(stored.id);
          end();
        }}
      >
        {t('notifications.deleteText')}
      </ConfirmDialog>
      {question}
    </>
  );
}

interface TargetEditorProps extends Pick<TargetDialogProps, 'stored'> {
  /** Something typed is not stored. */
  readonly onDirty: (dirty: boolean) => void;
  readonly onBusy: (busy: boolean) => void;
  readonly onDelete: () => void;
  readonly onCancel: () => void;
  readonly onSaved: () => void;
}

function TargetEditor({ stored, onDirty, onBusy, onDelete, onCancel, onSaved }: TargetEditorProps) {
  const { t, language } = useText();
  const zone = useTimeZone();
  const [initial] = useState(() => (stored === null ? newForm(language, zone) : formOf(stored)));
  const [form, setForm] = useState(initial);
  const [told, setTold] = useState(false);
  const save = useSaveTarget();
  const dirty = form !== initial;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  useEffect(() => () => onDirty(false), [onDirty]);
  const problem = problemOf(form, stored);
  const edit = (change: Partial<TargetForm>) => {
    save.reset();
    setForm({ ...form, ...change });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTold(true);
    if (problem !== null || save.isPending) return;
    onBusy(true);
    try {
      await save.mutateAsync({ id: stored?.id ?? null, request: requestOf(form) });
      onSaved();
    } catch {
      // Shown below.
    } finally {
      onBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="lg">
        <ServiceFields form={form} stored={stored} onChange={edit} />
        <WhatFields form={form} onChange={edit} />
        <WhenFields form={form} onChange={edit} />
      </Stack>
      <p className="form-error" role="alert" style={{ minHeight: 20, marginTop: 12 }}>
        <Problem error={save.error} problem={told && problem !== null ? t(problem) : ''} />
      </p>
      <div className="dialog-actions">
        {stored !== null && (
          <>
            <Button kind="danger" disabled={save.isPending} onClick={onDelete}>
              {t('notifications.delete')}
            </Button>
            <span className="spacer" />
          </>
        )}
        <Button disabled={save.isPending} onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button kind="primary" type="submit" disabled={save.isPending} aria-busy={save.isPending}>
          {t('settings.save')}
        </Button>
      </div>
    </form>
  );
}

/** What the manager refused is told in its own words, which name the member. */
function Problem({ error, problem }: { readonly error: unknown; readonly problem: string }) {
  const { t } = useText();
  if (error === null) return problem;
  if (error instanceof ApiError && error.code === 'notification_url_invalid') return t('notifications.urlInvalid');
  if (error instanceof ApiError && error.status === 400) return t('notifications.refused', { answer: error.message });
  if (error instanceof ApiError && error.code === 'notification_target_limit') {
    return t('notifications.limit', { count: NOTIFICATION_LIMITS.targets });
  }
  const failure = failureText(error);
  return t(failure.key, failure.values);
}
