import { NOTIFICATION_LIMITS } from '@manager/core/contract/notifications/kinds';
import type { NotificationSettings } from '@manager/core/contract/notifications/targets';
import { Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { useText } from '../../platform/i18n/index.ts';
import { fitsRange, type NumberRange } from '../../platform/wording/number-range.ts';
import { Button } from '../../ui/controls/button.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { useSaveNotificationSettings } from './notification-calls.ts';

const RANGES = {
  quotaLowPercent: { least: 1, most: NOTIFICATION_LIMITS.quotaLowPercent },
  diskFreeGiB: { least: 0, most: NOTIFICATION_LIMITS.diskFreeGiB, decimals: 1 },
  collectorDownMinutes: { least: 1, most: NOTIFICATION_LIMITS.collectorDownMinutes },
} as const satisfies Record<string, NumberRange>;
const NUMBERS = ['quotaLowPercent', 'diskFreeGiB', 'collectorDownMinutes'] as const;

/** From when on something counts, for all targets. */
export function SettingsPanel({ stored }: { readonly stored: NotificationSettings }) {
  const { t } = useText();
  const { client } = useServices();
  const save = useSaveNotificationSettings();
  const [draft, setDraft] = useState<NotificationSettings | null>(null);
  const form = draft ?? stored;
  const dirty = draft !== null && JSON.stringify(draft) !== JSON.stringify(stored);
  const isRight = NUMBERS.every((name) => fitsRange(form[name], RANGES[name]));
  const { question } = useLeaveQuestion(dirty);
  const edit = (change: Partial<NotificationSettings>) => {
    save.reset();
    setDraft({ ...form, ...change });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || !isRight || save.isPending) return;
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
              range={RANGES.quotaLowPercent}
              unit="%"
              onChange={(quotaLowPercent) => edit({ quotaLowPercent })}
            />
            <NumberField
              label={t('notifications.diskLimit')}
              value={form.diskFreeGiB}
              range={RANGES.diskFreeGiB}
              unit="GiB"
              onChange={(diskFreeGiB) => edit({ diskFreeGiB })}
            />
            <NumberField
              label={t('notifications.collectorLimit')}
              value={form.collectorDownMinutes}
              range={RANGES.collectorDownMinutes}
              unit={t('notifications.minutes')}
              onChange={(collectorDownMinutes) => edit({ collectorDownMinutes })}
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
          <Button
            kind="primary"
            type="submit"
            disabled={!dirty || !isRight || save.isPending}
            aria-busy={save.isPending}
          >
            {t('settings.save')}
          </Button>
        </Group>
      </form>
      {question}
    </section>
  );
}
