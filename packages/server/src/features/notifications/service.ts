import { AppError } from '@manager/core/contract/errors';
import {
  DEFAULT_NOTIFICATION_SETTINGS,
  NOTIFICATION_EVENTS,
  NOTIFICATION_LIMITS,
  TARGET_SECRETS,
} from '@manager/core/contract/notifications/kinds';
import {
  type NotificationLogResponse,
  type NotificationSettings,
  type NotificationsResponse,
  type NotificationTarget,
  type NotificationTargetResponse,
  type NotificationTestResponse,
  notificationSettingsSchema,
  type TargetRequest,
} from '@manager/core/contract/notifications/targets';
import { parseJson } from '@manager/core/json/json';
import { checkTimeZone } from '@manager/core/time/check-time-zone';
import type { Setting, SettingChange } from '../../sqlite/settings.ts';
import type { Deliver } from './deliver.ts';
import { renderTest } from './render.ts';
import { hintOf, mergedSecrets, type SecretBox, shownAnswer } from './secrets.ts';
import type { NotificationReads, NotificationWrites } from './store.ts';
import type { StoredTarget, TargetConfig } from './target-row.ts';

export interface NotificationServiceDeps {
  readonly reader: NotificationReads;
  readonly writer: NotificationWrites;
  readonly readSettings: (keys: readonly string[]) => Promise<Readonly<Record<string, Setting>>>;
  readonly writeSettings: (changes: readonly SettingChange[]) => Promise<void>;
  readonly box: SecretBox;
  readonly deliver: Deliver;
  /** Text as in a log line. */
  readonly redact: (text: string) => string;
  /** Something was changed that may have to be sent now. */
  readonly onChange: () => void;
  readonly newId: () => string;
  readonly now: () => number;
}

export interface NotificationService {
  list(): Promise<NotificationsResponse>;
  settings(): Promise<NotificationSettings>;
  changeSettings(settings: NotificationSettings): Promise<NotificationSettings>;
  /** @throws AppError 400 for a value that cannot be used, 409 above the limit of targets */
  add(request: TargetRequest): Promise<NotificationTargetResponse>;
  /** @throws AppError 404, 400; the kind of a target never changes */
  change(id: string, request: TargetRequest): Promise<NotificationTargetResponse>;
  /** @throws AppError 404 */
  remove(id: string): Promise<void>;
  /** Sends a message at once, also in quiet hours and to a target that is switched off. @throws AppError 404 */
  test(id: string): Promise<NotificationTestResponse>;
  log(): Promise<NotificationLogResponse>;
}

const SETTINGS_KEY = 'notifications';

export function createNotificationService(deps: NotificationServiceDeps): NotificationService {
  const { reader, writer, box } = deps;

  async function settings(): Promise<NotificationSettings> {
    const stored = (await deps.readSettings([SETTINGS_KEY]))[SETTINGS_KEY];
    const parsed = notificationSettingsSchema.safeParse(stored === undefined ? null : parseJson(stored.value));
    return parsed.data ?? DEFAULT_NOTIFICATION_SETTINGS;
  }

  async function known(id: string): Promise<StoredTarget> {
    const target = await reader.run('notificationTarget', id);
    if (target === null) throw new AppError('notification_target_not_found');
    return target;
  }

  async function shown(id: string): Promise<NotificationTargetResponse> {
    const [target, queued] = await Promise.all([known(id), reader.run('queuedMessages', null)]);
    return { item: toItem(target, queued[id] ?? 0) };
  }

  function toItem(target: StoredTarget, queued: number): NotificationTarget {
    const secrets = box.open(target.secrets);
    const entries = TARGET_SECRETS[target.kind].map((name) => {
      const secret = secrets?.[name];
      return [name, { set: secret !== undefined, hint: hintOf(name, secret) }] as const;
    });
    return {
      ...target.config,
      id: target.id,
      kind: target.kind,
      enabled: target.enabled,
      secrets: Object.fromEntries(entries),
      secretsReadable: secrets !== null,
      createdAtMs: target.createdAtMs,
      updatedAtMs: target.updatedAtMs,
      queued,
    };
  }

  return {
    settings,
    async list() {
      const [targets, queued, current] = await Promise.all([
        reader.run('notificationTargets', null),
        reader.run('queuedMessages', null),
        settings(),
      ]);
      return { settings: current, items: targets.map((target) => toItem(target, queued[target.id] ?? 0)) };
    },
    async changeSettings(changed) {
      await deps.writeSettings([{ key: SETTINGS_KEY, value: JSON.stringify(changed), updatedAtMs: deps.now() }]);
      deps.onChange();
      return settings();
    },
    async add(request) {
      const config = configOf(request);
      const secrets = box.seal(mergedSecrets(request.kind, {}, request.secrets));
      const id = deps.newId();
      const target = { id, kind: request.kind, enabled: request.enabled, config, secrets };
      if (!(await writer.run('addNotificationTarget', { target, most: NOTIFICATION_LIMITS.targets })))
        throw new AppError('notification_target_limit');
      deps.onChange();
      return shown(id);
    },
    async change(id, request) {
      const target = await known(id);
      if (request.kind !== target.kind)
        throw new AppError('invalid_request', { message: `kind: ${target.kind} expected` });
      const config = configOf(request);
      const stored = box.open(target.secrets);
      // Secrets that cannot be read stay as they are until others are entered: restoring the data key brings them back.
      const isKept = stored === null && Object.values(request.secrets).every((secret) => secret === undefined);
      const secrets = isKept ? target.secrets : box.seal(mergedSecrets(request.kind, stored ?? {}, request.secrets));
      const changed = { id, kind: request.kind, enabled: request.enabled, config, secrets };
      if (!(await writer.run('changeNotificationTarget', changed))) throw new AppError('notification_target_not_found');
      deps.onChange();
      return shown(id);
    },
    async remove(id) {
      if (!(await writer.run('removeNotificationTarget', id))) throw new AppError('notification_target_not_found');
    },
    async test(id) {
      const target = await known(id);
      const secrets = box.open(target.secrets);
      if (secrets === null) throw new AppError('notification_secrets_unreadable');
      const message = renderTest({ language: target.config.language, baseUrl: (await settings()).baseUrl });
      const messageId = deps.newId();
      const sent = { id: messageId, message, content: { groups: [] }, isTest: true, createdAtMs: deps.now() };
      const delivery = await deps.deliver(target, secrets, sent);
      const answer = shownAnswer(delivery.answer, secrets, deps.redact);
      const isSent = delivery.outcome === 'sent';
      await writer.run('recordTest', { id: messageId, target, title: message.title, sent: isSent, answer });
      return { sent: isSent, status: delivery.status, answer };
    },
    log: async () => ({ items: await reader.run('notificationLog', NOTIFICATION_LIMITS.log) }),
  };
}

/** @throws AppError `invalid_time_zone` */
function configOf(request: TargetRequest): TargetConfig {
  const { name, language, sendRecovered, showAccounts, timeZone, quietHours, options } = request;
  checkTimeZone(timeZone);
  const events = NOTIFICATION_EVENTS.filter((event) => request.events.includes(event));
  return { name, language, events, sendRecovered, showAccounts, timeZone, quietHours, options };
}
