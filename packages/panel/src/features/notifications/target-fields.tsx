import {
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  type TargetLanguage,
} from '@manager/core/contract/notifications/kinds';
import { Group, Stack, Switch, TextInput } from '@mantine/core';
import { useId } from 'react';
import { LANGUAGES, useText } from '../../platform/i18n/index.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { ZoneSelect } from '../../ui/controls/zone-select.tsx';
import { EVENT_LABELS } from './notification-words.ts';
import type { FieldsProps } from './service-fields.tsx';

/** What it hears of, and in which words. */
export function WhatFields({ form, onChange }: FieldsProps) {
  const { t } = useText();
  const id = useId();
  const toggle = (event: NotificationEvent, on: boolean) =>
    onChange({ events: NOTIFICATION_EVENTS.filter((name) => (name === event ? on : form.events.includes(name))) });
  return (
    <Stack component="fieldset" className="group" aria-labelledby={id}>
      <h3 id={id}>{t('notifications.what')}</h3>
      <Group gap="4px 20px">
        {NOTIFICATION_EVENTS.map((event) => (
          <label key={event} className="tick">
            <input
              type="checkbox"
              checked={form.events.includes(event)}
              onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
            />
            {t(EVENT_LABELS[event])}
          </label>
        ))}
      </Group>
      <p className="small ink-3">{t('notifications.loginHint')}</p>
      <p className="small ink-3">{t('notifications.updateHint')}</p>
      <Switch
        checked={form.sendRecovered}
        label={t('notifications.sendRecovered')}
        onChange={(event) => onChange({ sendRecovered: event.currentTarget.checked })}
      />
      <Switch
        checked={form.showAccounts}
        label={t('notifications.showAccounts')}
        description={t('notifications.showAccountsHint')}
        onChange={(event) => onChange({ showAccounts: event.currentTarget.checked })}
      />
      <div className="form-row">
        <span className="medium">{t('notifications.language')}</span>
        <span>
          <Segmented<TargetLanguage>
            label={t('notifications.language')}
            value={form.language}
            options={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
            onChange={(language) => onChange({ language })}
          />
        </span>
      </div>
    </Stack>
  );
}

/** When it may be disturbed. */
export function WhenFields({ form, onChange }: FieldsProps) {
  const { t } = useText();
  const id = useId();
  return (
    <Stack component="fieldset" className="group" aria-labelledby={id}>
      <h3 id={id}>{t('notifications.when')}</h3>
      <ZoneSelect
        label={t('shell.timeZone')}
        description={t('notifications.zoneHint')}
        value={form.timeZone}
        defaultLabel={t('notifications.utc')}
        onChange={(timeZone) => onChange({ timeZone })}
      />
      <Switch
        checked={form.hasQuietHours}
        label={t('notifications.quietHours')}
        description={t('notifications.quietHint')}
        onChange={(event) => onChange({ hasQuietHours: event.currentTarget.checked })}
      />
      {form.hasQuietHours && (
        <div className="form-grid">
          <TextInput
            type="time"
            label={t('notifications.quietFrom')}
            value={form.quietFrom}
            onChange={(event) => onChange({ quietFrom: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label={t('notifications.quietTo')}
            value={form.quietTo}
            onChange={(event) => onChange({ quietTo: event.currentTarget.value })}
          />
        </div>
      )}
    </Stack>
  );
}
