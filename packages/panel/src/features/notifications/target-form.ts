import {
  ASKS_OUTSIDE,
  type MailSecurity,
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  requiredSecret,
  type SecretName,
  TARGET_SECRETS,
  type TargetKind,
  type TargetLanguage,
  TELEGRAM_API,
} from '@manager/core/contract/notifications/kinds';
import type {
  EmailOptions,
  NotificationTarget,
  TargetRequest,
  TelegramOptions,
} from '@manager/core/contract/notifications/targets';
import type { TextKey } from '../../platform/i18n/index.ts';
import { fitsRange, type NumberRange } from '../../platform/wording/number-range.ts';

/** A target while it is edited. */
export interface TargetForm {
  readonly kind: TargetKind;
  readonly name: string;
  readonly enabled: boolean;
  readonly language: TargetLanguage;
  readonly events: readonly NotificationEvent[];
  readonly sendRecovered: boolean;
  readonly showAccounts: boolean;
  /** '' = UTC. */
  readonly timeZone: string;
  readonly hasQuietHours: boolean;
  /** `HH:MM` */
  readonly quietFrom: string;
  readonly quietTo: string;
  /** What is typed; '' keeps the stored one. */
  readonly secrets: Readonly<Partial<Record<SecretName, string>>>;
  /** Stored secrets to be removed. */
  readonly removed: readonly SecretName[];
  readonly telegram: TelegramOptions;
  readonly email: Omit<EmailOptions, 'to'> & { readonly to: string };
}

export const PORTS: NumberRange = { least: 1, most: 65_535 };
const MAIL_PORTS: Readonly<Record<MailSecurity, number>> = { tls: 465, starttls: 587, none: 25 };

export function newForm(language: TargetLanguage, timeZone: string): TargetForm {
  return {
    kind: 'webhook',
    name: '',
    enabled: true,
    language,
    events: NOTIFICATION_EVENTS.filter((event) => event !== ASKS_OUTSIDE),
    sendRecovered: true,
    showAccounts: true,
    timeZone,
    hasQuietHours: false,
    quietFrom: '22:00',
    quietTo: '07:00',
    secrets: {},
    removed: [],
    telegram: { chatId: '', threadId: '', apiUrl: TELEGRAM_API },
    email: { host: '', port: MAIL_PORTS.tls, security: 'tls', username: '', from: '', to: '' },
  };
}

export function formOf(target: NotificationTarget): TargetForm {
  const base = newForm(target.language, target.timeZone);
  const { kind, name, enabled, events, sendRecovered, showAccounts, quietHours, options } = target;
  return {
    ...base,
    kind,
    name,
    enabled,
    events,
    sendRecovered,
    showAccounts,
    hasQuietHours: quietHours !== null,
    quietFrom: quietHours?.from ?? base.quietFrom,
    quietTo: quietHours?.to ?? base.quietTo,
    // The manager checks the options of each kind.
    ...(kind === 'telegram' ? { telegram: options as TelegramOptions } : {}),
    ...(kind === 'email' ? { email: mailOf(options as EmailOptions) } : {}),
  };
}

const mailOf = (options: EmailOptions): TargetForm['email'] => ({ ...options, to: options.to.join(', ') });

/** The usual port goes with the kind of TLS, unless another one was entered. */
export function withSecurity({ email }: TargetForm, security: MailSecurity): TargetForm['email'] {
  return { ...email, security, port: email.port === MAIL_PORTS[email.security] ? MAIL_PORTS[security] : email.port };
}

const addresses = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');

export function requestOf(form: TargetForm): TargetRequest {
  const { kind, language, events, enabled, sendRecovered, showAccounts, timeZone } = form;
  const common = {
    name: form.name.trim(),
    enabled,
    language,
    events: [...events],
    sendRecovered,
    showAccounts,
    timeZone,
    quietHours: form.hasQuietHours ? { from: form.quietFrom, to: form.quietTo } : null,
  };
  const secrets = secretsOf(form);
  switch (kind) {
    case 'telegram':
      return { ...common, kind, options: form.telegram, secrets };
    case 'email': {
      const { to, ...options } = form.email;
      return { ...common, kind, options: { ...options, to: addresses(to) }, secrets };
    }
    default:
      return { ...common, kind, options: {}, secrets };
  }
}

function secretsOf({ kind, secrets, removed }: TargetForm): Partial<Record<SecretName, string>> {
  const names: readonly SecretName[] = TARGET_SECRETS[kind];
  return Object.fromEntries(
    names.flatMap((name) => {
      const typed = secrets[name]?.trim() ?? '';
      return typed !== '' ? [[name, typed]] : removed.includes(name) ? [[name, '']] : [];
    }),
  );
}

/** What is still missing; null = it can be saved. */
export function problemOf(form: TargetForm, stored: NotificationTarget | null): TextKey | null {
  if (form.name.trim() === '') return 'notifications.needsName';
  const secret = requiredSecret(form.kind);
  const isStored = secret !== null && stored?.secrets[secret]?.set === true && stored.secretsReadable;
  if (secret !== null && !isStored && (form.secrets[secret]?.trim() ?? '') === '')
    return secret === 'url' ? 'notifications.needsUrl' : 'notifications.needsToken';
  if (form.kind === 'telegram' && form.telegram.chatId.trim() === '') return 'notifications.needsChat';
  if (form.kind !== 'email') return null;
  const { host, port, from, to } = form.email;
  if (host.trim() === '' || !fitsRange(port, PORTS)) return 'notifications.needsServer';
  return from.trim() === '' || addresses(to).length === 0 ? 'notifications.needsAddresses' : null;
}
