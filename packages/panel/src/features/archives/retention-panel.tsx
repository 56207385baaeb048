import { Group, Stack, Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { fitsRange } from '../../platform/wording/number-range.ts';
import { Button } from '../../ui/controls/button.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { Marked } from '../../ui/display/marked.tsx';
import { Status } from '../../ui/display/status.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { DeletionEffects } from './deletion-effects.tsx';
import { refusalOf } from './refusal.ts';
import { deletesMore, editableRetention, type RetentionForm, retentionChange } from './retention-form.ts';
import { useSaveRetention } from './use-archives.ts';
import type { Maintenance } from './wire.ts';

/** Automatic archiving: its state, and its settings unless the environment sets them. */
export function RetentionPanel({ maintenance }: { readonly maintenance: Maintenance }) {
  const { t } = useText();
  const { retention, readiness } = maintenance;
  const on = retention?.enabled === true;
  const works = readiness.archive_delete_enabled;
  const editable = editableRetention(retention);
  return (
    <section className="panel" aria-label={t('archives.retention')}>
      <div className="panel-head">
        <h2>{t('archives.retention')}</h2>
        <span className="spacer" />
        {retention !== undefined && (
          <Status tone={on ? (works ? 'ok' : 'warn') : 'off'} pill>
            {t(on ? 'common.on' : 'common.off')}
          </Status>
        )}
      </div>
      <Stack className="panel-body">
        {on && <p>{t(works ? 'archives.retentionOn' : 'archives.retentionStuck', { count: retention?.days ?? 0 })}</p>}
        {retention?.enabled === false && <p>{t('archives.retentionOff')}</p>}
        {retention === undefined && maintenance.retention_unreadable === true ? (
          <p className="tone-bad">
            <Marked text={t('archives.retentionUnreadable')} />
          </p>
        ) : editable === null ? (
          <p className="ink-2">
            <Marked text={t('archives.retentionText')} />
          </p>
        ) : (
          <RetentionFields stored={editable} />
        )}
        <Link to="/usage-maintenance" search={{ tab: ['runs'], mode: ['retention'] }} className="link">
          {t('archives.retentionRuns')}
        </Link>
      </Stack>
    </section>
  );
}

function RetentionFields({ stored }: { readonly stored: NonNullable<ReturnType<typeof editableRetention>> }) {
  const { t } = useText();
  const save = useSaveRetention();
  // Only what was typed: the rest follows what others save meanwhile.
  const [draft, setDraft] = useState<Partial<RetentionForm>>({});
  const [asking, setAsking] = useState(false);
  const form: RetentionForm = { enabled: stored.enabled, days: stored.days, ...draft };
  const change = retentionChange(stored, form);
  const dirty = change !== null;
  const range = { least: stored.least_days, most: stored.most_days };
  const isRight = fitsRange(form.days, range);
  const { question } = useLeaveQuestion(dirty);
  const send = async () => {
    if (change === null) return;
    await save.mutateAsync(change);
    setDraft({});
  };
  /** null = discard. */
  const edit = (next: Partial<RetentionForm> | null) => {
    save.reset();
    setDraft(next === null ? {} : { ...draft, ...next });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || !isRight || save.isPending) return;
    if (deletesMore(stored, form)) setAsking(true);
    // A refusal is shown beside the button.
    else void send().catch(() => undefined);
  };
  const failed = (error: unknown) => {
    const refusal = refusalOf(error);
    const failure = failureText(error);
    return refusal === null ? t(failure.key, failure.values) : `${t(refusal.fact)} ${t(refusal.text)}`;
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={640}>
        <Switch
          checked={form.enabled}
          disabled={stored.enabled_locked}
          label={t('archives.retentionSwitch')}
          description={t('archives.retentionSwitchHint')}
          onChange={(event) => edit({ enabled: event.currentTarget.checked })}
        />
        {stored.enabled_locked && <Locked name="USAGE_ARCHIVE_RETENTION_ENABLED" />}
        <NumberField
          label={t('archives.retentionDays')}
          description={t('archives.retentionDaysHint')}
          maw={280}
          value={form.days}
          range={range}
          unit={t('archives.retentionUnit')}
          disabled={stored.days_locked}
          onChange={(days) => edit({ days })}
        />
        {stored.days_locked && <Locked name="USAGE_ARCHIVE_RETENTION_DAYS" />}
        {!(stored.enabled_locked && stored.days_locked) && (
          <Group>
            <Button
              kind="primary"
              type="submit"
              disabled={!dirty || !isRight || save.isPending}
              aria-busy={save.isPending}
            >
              {t('settings.save')}
            </Button>
            <Button disabled={!dirty || save.isPending} onClick={() => edit(null)}>
              {t('settings.discard')}
            </Button>
            <span role="status" className={save.error === null ? 'small ink-3' : 'form-error'}>
              {save.error !== null && !asking
                ? failed(save.error)
                : save.isSuccess && !dirty
                  ? t('settings.saved')
                  : ''}
            </span>
          </Group>
        )}
      </Stack>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('archives.retentionTitle')}
        confirmLabel={t('archives.retentionConfirm', { count: form.days })}
        onConfirm={send}
        failure={failed}
        danger
      >
        <p>{t('archives.retentionAsk', { count: form.days })}</p>
        <DeletionEffects />
      </ConfirmDialog>
      {question}
    </form>
  );
}

function Locked({ name }: { readonly name: string }) {
  const { t } = useText();
  return (
    <p className="small ink-2">
      <Marked text={t('archives.retentionLocked', { environment: name })} />
    </p>
  );
}
