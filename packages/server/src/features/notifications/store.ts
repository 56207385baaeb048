import type { OperationClient } from '../../sqlite/contexts.ts';
import { composeMessages } from './queries/compose-messages.ts';
import { noteConditions } from './queries/note-conditions.ts';
import { beginAttempts, endAttempt, nextAttemptMs, notificationLog, recordTest } from './queries/outbox.ts';
import {
  addNotificationTarget,
  changeNotificationTarget,
  notificationTarget,
  notificationTargets,
  queuedMessages,
  removeNotificationTarget,
} from './queries/targets.ts';

/** Listed in `workers/operations/reads.ts`. */
export const notificationReads = {
  notificationTargets,
  notificationTarget,
  queuedMessages,
  notificationLog,
  nextAttemptMs,
} as const;

/** Listed in `workers/operations/writes.ts`; each runs inside one transaction. */
export const notificationWrites = {
  addNotificationTarget,
  changeNotificationTarget,
  removeNotificationTarget,
  noteConditions,
  composeMessages,
  beginAttempts,
  endAttempt,
  recordTest,
} as const;

export type NotificationReads = Pick<OperationClient<typeof notificationReads>, 'run'>;
export type NotificationWrites = Pick<OperationClient<typeof notificationWrites>, 'run'>;
