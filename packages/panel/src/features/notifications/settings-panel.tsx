import { DEFAULT_NOTIFICATION_SETTINGS, NOTIFICATION_LIMITS } from '@manager/core/contract/notifications/kinds';
import type { NotificationSettings } from '@manager/core/contract/notifications/targets';
import { Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { useSaveNotificationSettings } from './notification-calls.ts';

/** From when on something counts, for all targets. */
export function SettingsPanel({ stored }: { readonly stored: NotificationSettings }) {
  const { t } = useText();
  const { client } = useServices();
  const save = useSaveNotificationSettings();
  const [draft, setDraft] = useState<NotificationSettings | null>(null);
  const form = draft ?? stored;
  const dirty = draft !== null && JSON.stringify(draft) !== JSON.stringify(stored);
  const { question } = useLeaveQuestion(dirty);
  const edit = (change: Partial<NotificationSettings>) => {
    save.reset();
    setDraft({ ...form, ...change });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || save.isPending) return;
    save.mutate({ ...form, baseUrl: form.baseUrl.trim() }, { onSuccess: () => setDraft(null) });
  };
  const failure = failureText(save.error);
  return (
    <section className="panel" aria-label={t('notifications.settings')}>
      <div className="panel-head">
        <h2>{t('notifications.settings')}</h2>
      </div>
      <form onSubmit={submit} noValidate>
        <Stack gap="lg" maw={640} pt="xs" className="panel-body">
          <TextInput
            label={t('notifications.baseUrl')}
            description={t('notifications.baseUrlHint')}
            placeholder={client.page.replace(/\/$/, '')}
            value={form.baseUrl}
            maxLength={NOTIFICATION_LIMITS.url}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => edit({ baseUrl: event.currentTarget.value })}
          />
          <div className="form-grid">
            <NumberField
              label={t('notifications.quotaLimit')}
              value={form.quotaLowPercent}
              min={1}
              max={NOTIFICATION_LIMITS.quotaLowPercent}
              unit="%"
              onChange={(value) => edit({ quotaLowPercent: value ?? DEFAULT_NOTIFICATION_SETTINGS.quotaLowPercent })}
            />
            <NumberField
              label={t('notifications.diskLimit')}
              value={form.diskFreeGiB}
              min={0}
              max={NOTIFICATION_LIMITS.diskFreeGiB}
              decimals={1}
              unit="GiB"
              onChange={(value) => edit({ diskFreeGiB: value ?? DEFAULT_NOTIFICATION_SETTINGS.diskFreeGiB })}
            />
            <NumberField
              label={t('notifications.collectorLimit')}
              value={form.collectorDownMinutes}
              min={1}
              max={NOTIFICATION_LIMITS.collectorDownMinutes}
              unit={t('notifications.minutes')}
              onChange={(value) =>
                edit({ collectorDownMinutes: value ?? DEFAULT_NOTIFICATION_SETTINGS.collectorDownMinutes })
              }
            />
          </div>
        </Stack>
        <Group className="settings-foot panel-line" p="md">
          <span role="status" className={save.error === null ? 'small ink-3' : 'form-error'}>
            {save.error !== null ? t(failure.key, failure.values) : save.isSuccess && !dirty ? t('settings.saved') : ''}
          </span>
          <span className="spacer" />
          <Button disabled={!dirty || save.isPending} onClick={() => setDraft(null)}>
            {t('settings.discard')}
          </Button>
          <Button kind="primary" type="submit" disabled={!dirty || save.isPending} aria-busy={save.isPending}>
            {t('settings.save')}
          </Button>
        </Group>
      </form>
      {question}
    </section>
  );
}
