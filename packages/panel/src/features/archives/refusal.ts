import { ApiError } from '../../platform/api/errors.ts';
import type { TextKey } from '../../platform/i18n/index.ts';

/** What the panel does about a refusal, besides showing it. */
type Reaction =
  /** The run changed: its state is reloaded. */
  | 'reread'
  /** Another run is active: it is shown and polled. */
  | 'watch'
  /** Lagging sums are shown with their progress. */
  | 'coverage'
  | 'none';

export interface Refusal {
  readonly tone: 'bad' | 'warn' | 'wait';
  readonly fact: TextKey;
  readonly text: TextKey;
  readonly reaction: Reaction;
}

const refusal = (tone: Refusal['tone'], fact: TextKey, text: TextKey, reaction: Reaction = 'none'): Refusal => ({
  tone,
  fact,
  text,
  reaction,
});

const REFUSALS: Readonly<Record<string, Refusal>> = {
  no_events: refusal('wait', 'archiveRefusal.noEvents', 'archiveRefusal.noEventsText'),
  maintenance_locked: refusal('warn', 'archiveRefusal.locked', 'archiveRefusal.lockedText', 'watch'),
  invalid_state: refusal('warn', 'archiveRefusal.state', 'archiveRefusal.stateText', 'reread'),
  coverage_incomplete: refusal('warn', 'archiveRefusal.coverage', 'archiveRefusal.coverageText', 'coverage'),
  delete_unavailable: refusal('warn', 'archiveRefusal.deleteOff', 'archives.deleteOffText'),
  cancel_unsafe: refusal('bad', 'archiveRefusal.cancelUnsafe', 'archiveRefusal.cancelUnsafeText', 'reread'),
  cancel_published: refusal('warn', 'archiveRefusal.cancelPublished', 'archiveRefusal.cancelPublishedText', 'reread'),
  cancel_cleanup_failed: refusal('bad', 'archiveRefusal.cleanup', 'archiveRefusal.cleanupText', 'reread'),
  not_found: refusal('bad', 'archiveRefusal.notFound', 'archiveRefusal.notFoundText', 'reread'),
  invalid_id: refusal('bad', 'archiveRefusal.invalidId', 'archiveRefusal.invalidIdText'),
  invalid_request: refusal('bad', 'archiveRefusal.request', 'archiveRefusal.requestText'),
  request_too_large: refusal('bad', 'archiveRefusal.tooLarge', 'archiveRefusal.requestText'),
  count_changed: refusal('warn', 'archiveRefusal.count', 'archiveRefusal.countText', 'reread'),
  retention_invalid: refusal('bad', 'archiveRefusal.retention', 'archiveRefusal.retentionText'),
  retention_env_locked: refusal('warn', 'archiveRefusal.retention', 'archiveRefusal.retentionLocked', 'reread'),
  unavailable: refusal('bad', 'archiveRefusal.unavailable', 'archiveRefusal.unavailableText'),
};

const PREFIX = 'usage_archive_';

/** Null for other errors: a network error, a server failure. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof ApiError) || !error.code.startsWith(PREFIX)) return null;
  const name = error.code.slice(PREFIX.length);
  return Object.hasOwn(REFUSALS, name) ? (REFUSALS[name] ?? null) : null;
}

/** The answer was lost, so the work may have started and continue. */
export function mayHaveStarted(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.kind === 'network' || error.kind === 'timeout') return true;
  return refusalOf(error) === null && error.status >= 502 && error.status <= 504;
}
