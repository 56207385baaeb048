import type { NotificationEvent } from '@manager/core/contract/notifications/kinds';
import type { NotificationSettings } from '@manager/core/contract/notifications/targets';
import { zoneNamed } from '@manager/core/time/zone-named';
import { createLoop, type Loop, type Pause } from '../../platform/loop.ts';
import { stopPoint } from '../../platform/stop-point.ts';
import type { Observation } from './condition.ts';
import { withoutAccountNames } from './content.ts';
import type { Deliver } from './deliver.ts';
import type { DueMessage } from './queries/outbox.ts';
import { renderMessage } from './render.ts';
import { type SecretBox, shownAnswer } from './secrets.ts';
import type { NotificationReads, NotificationWrites } from './store.ts';

export interface OutboxLoopDeps {
  readonly reader: NotificationReads;
  readonly writer: NotificationWrites;
  readonly settings: () => Promise<NotificationSettings>;
  /** What holds now of the events that targets want; not called without targets. */
  readonly observe: (settings: NotificationSettings, wanted: ReadonlySet<NotificationEvent>) => Promise<Observation>;
  readonly box: SecretBox;
  readonly deliver: Deliver;
  readonly redact: (text: string) => string;
  readonly newId: () => string;
  readonly now: () => number;
  readonly log: { warn(message: string): void };
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

/** Between two observations. */
const TICK_MS = 60_000;
/** Before the next message of a target that got one in this round. */
const REST_MS = 5_000;

/** Observes, composes and delivers. Asleep while there is no target. */
export function createOutboxLoop(deps: OutboxLoopDeps): Loop {
  const { reader, writer, log } = deps;

  const loop = createLoop({
    async round() {
      const targets = await reader.run('notificationTargets', null);
      const enabled = targets.filter((target) => target.enabled);
      if (enabled.length === 0) return null;
      const settings = await deps.settings();
      const wanted = new Set(enabled.flatMap(({ config }) => config.events));
      await writer.run('noteConditions', await deps.observe(settings, wanted), { priority: 'background' });
      const ids = targets.map(deps.newId);
      await writer.run('composeMessages', { ids }, { priority: 'background' });
      await deliverDue(settings);
      const nowMs = deps.now();
      const nextMs = await reader.run('nextAttemptMs', nowMs);
      const untilNext = nextMs === null ? TICK_MS : nextMs - nowMs;
      return Math.min(TICK_MS, Math.max(REST_MS, untilNext));
    },
    failed(error, count) {
      if (count === 1) log.warn(`notifications: ${deps.redact(String(error))}; retrying`);
      return TICK_MS;
    },
    wait: deps.wait,
  });

  async function deliverDue(settings: NotificationSettings): Promise<void> {
    const due = await writer.run('beginAttempts', null, { priority: 'background' });
    await Promise.all(due.map((message) => attempt(message, settings)));
  }

  async function attempt({ id, content: stored, createdAtMs, target }: DueMessage, settings: NotificationSettings) {
    const secrets = deps.box.open(target.secrets);
    if (secrets === null) {
      await end(id, target.config.name, 'retry', 'the secrets were encrypted with another data key; enter them again');
      return;
    }
    const options = { ...target.config, zone: zoneNamed(target.config.timeZone), baseUrl: settings.baseUrl };
    const content = target.config.showAccounts ? stored : withoutAccountNames(stored);
    const message = renderMessage(content, options);
    const delivery = await deps.deliver(target, secrets, { id, message, content, isTest: false, createdAtMs });
    stopPoint('notification_delivered');
    const answer = shownAnswer(delivery.answer, secrets, deps.redact);
    await end(id, target.config.name, delivery.outcome, answer, delivery.retryAfterMs);
  }

  async function end(
    id: string,
    name: string,
    outcome: 'sent' | 'retry' | 'refused',
    answer: string,
    retryAfterMs: number | null = null,
  ): Promise<void> {
    const isGivenUp = await writer.run('endAttempt', { id, outcome, answer, retryAfterMs });
    if (isGivenUp) log.warn(`notifications: a message to ${JSON.stringify(name)} was given up: ${answer}`);
  }

  return loop;
}
