import {
  NOTIFICATION_LIMITS as LIMITS,
  MAIL_SECURITY,
  type SecretName,
  TARGET_KINDS,
  TARGET_SECRETS,
} from '@manager/core/contract/notifications/kinds';
import type { NotificationTarget } from '@manager/core/contract/notifications/targets';
import { Select, Stack, Switch, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { KeyField } from '../../ui/controls/key-field.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { KIND_LABELS, SECRET_LABELS, SECURITY_LABELS, URL_HINTS } from './notification-words.ts';
import { PORTS, type TargetForm, withSecurity } from './target-form.ts';

export interface FieldsProps {
  readonly form: TargetForm;
  readonly onChange: (change: Partial<TargetForm>) => void;
}

interface ServiceFieldsProps extends FieldsProps {
  readonly stored: NotificationTarget | null;
}

/** Which service, and how it is reached. */
export function ServiceFields({ form, stored, onChange }: ServiceFieldsProps) {
  const { t } = useText();
  const id = useId();
  return (
    <Stack component="fieldset" className="group" aria-labelledby={id}>
      <h3 id={id}>{t('notifications.where')}</h3>
      <div className="form-grid">
        <Select
          label={t('notifications.kind')}
          data={TARGET_KINDS.map((kind) => ({ value: kind, label: t(KIND_LABELS[kind]) }))}
          value={form.kind}
          // The secrets of one service mean nothing to another one.
          disabled={stored !== null}
          allowDeselect={false}
          onChange={(value) => onChange({ kind: TARGET_KINDS.find((kind) => kind === value) ?? form.kind })}
        />
        <TextInput
          label={t('notifications.name')}
          value={form.name}
          maxLength={LIMITS.name}
          autoComplete="off"
          data-autofocus
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </div>
      {form.kind === 'email' && <MailFields form={form} onChange={onChange} />}
      {TARGET_SECRETS[form.kind].map((name) => (
        <SecretField key={name} name={name} form={form} stored={stored} onChange={onChange} />
      ))}
      {form.kind === 'telegram' && <TelegramFields form={form} onChange={onChange} />}
      <Switch
        checked={form.enabled}
        label={t('notifications.enabled')}
        onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
      />
    </Stack>
  );
}

function SecretField({ name, form, stored, onChange }: ServiceFieldsProps & { readonly name: SecretName }) {
  const { t } = useText();
  const known = stored?.secretsReadable === true ? stored.secrets[name] : undefined;
  const isSet = known?.set === true;
  const isOptional = name === 'signingSecret' || (name === 'token' && form.kind === 'ntfy') || name === 'password';
  const hint = name === 'url' ? URL_HINTS[form.kind] : name === 'token' ? tokenHint(form) : undefined;
  const removed = form.removed.includes(name);
  return (
    <div>
      <KeyField
        size="sm"
        label={isOptional ? t('notifications.optional', { name: t(SECRET_LABELS[name]) }) : t(SECRET_LABELS[name])}
        description={isSet ? t('notifications.isSet') : hint === undefined ? undefined : t(hint)}
        placeholder={isSet ? known.hint || '••••••••' : ''}
        value={form.secrets[name] ?? ''}
        maxLength={name === 'url' ? LIMITS.url : LIMITS.secret}
        autoComplete="off"
        disabled={removed}
        onChange={(value) => onChange({ secrets: { ...form.secrets, [name]: value } })}
      />
      {isSet && isOptional && (
        <label className="tick small">
          <input
            type="checkbox"
            checked={removed}
            onChange={(event) =>
              onChange({
                removed: event.currentTarget.checked
                  ? [...form.removed, name]
                  : form.removed.filter((other) => other !== name),
              })
            }
          />
          {t('notifications.removeSecret')}
        </label>
      )}
    </div>
  );
}

const tokenHint = ({ kind }: TargetForm) =>
  kind === 'telegram' ? 'notifications.tokenTelegramHint' : 'notifications.tokenNtfyHint';

function TelegramFields({ form, onChange }: FieldsProps) {
  const { t } = useText();
  const edit = (change: Partial<TargetForm['telegram']>) => onChange({ telegram: { ...form.telegram, ...change } });
  return (
    <>
      <div className="form-grid">
        <TextInput
          label={t('notifications.chatId')}
          description={t('notifications.chatIdHint')}
          value={form.telegram.chatId}
          autoComplete="off"
          onChange={(event) => edit({ chatId: event.currentTarget.value })}
        />
        <TextInput
          label={t('notifications.optional', { name: t('notifications.threadId') })}
          description={t('notifications.threadIdHint')}
          value={form.telegram.threadId}
          inputMode="numeric"
          autoComplete="off"
          onChange={(event) => edit({ threadId: event.currentTarget.value })}
        />
      </div>
      <TextInput
        label={t('notifications.apiUrl')}
        value={form.telegram.apiUrl}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => edit({ apiUrl: event.currentTarget.value })}
      />
    </>
  );
}

function MailFields({ form, onChange }: FieldsProps) {
  const { t } = useText();
  const { email } = form;
  const edit = (change: Partial<TargetForm['email']>) => onChange({ email: { ...email, ...change } });
  return (
    <>
      <div className="form-row">
        <span className="medium">{t('notifications.security')}</span>
        <span>
          <Segmented
            label={t('notifications.security')}
            value={email.security}
            options={MAIL_SECURITY.map((value) => ({ value, label: t(SECURITY_LABELS[value]) }))}
            onChange={(security) => onChange({ email: withSecurity(form, security) })}
          />
        </span>
      </div>
      <div className="form-grid">
        <TextInput
          label={t('notifications.host')}
          value={email.host}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => edit({ host: event.currentTarget.value })}
        />
        <NumberField
          label={t('notifications.port')}
          value={email.port}
          range={PORTS}
          onChange={(port) => edit({ port })}
        />
        <TextInput
          label={t('notifications.from')}
          value={email.from}
          inputMode="email"
          autoComplete="off"
          onChange={(event) => edit({ from: event.currentTarget.value })}
        />
        <TextInput
          label={t('notifications.to')}
          description={t('notifications.toHint')}
          value={email.to}
          inputMode="email"
          autoComplete="off"
          onChange={(event) => edit({ to: event.currentTarget.value })}
        />
      </div>
      <TextInput
        label={t('notifications.optional', { name: t('notifications.username') })}
        value={email.username}
        autoComplete="off"
        onChange={(event) => edit({ username: event.currentTarget.value })}
      />
    </>
  );
}
