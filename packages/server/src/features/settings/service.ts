import {
  effectivePolicy,
  patchedPolicy,
  type StartupPolicy,
  type StoredPolicy,
} from '@manager/core/accounts/processing-policy';
import type { ProcessingPolicyResponse } from '@manager/core/contract/settings/processing-policy';
import * as z from 'zod';
import type { Setting, SettingChange } from '../../sqlite/settings.ts';

const KEY = 'account_processing_policy';

const storedSchema = z.object({
  codexQuotaCooldownEnabled: z.boolean().optional(),
  authIssueQueueEnabled: z.boolean().optional(),
  authIssueAutoDisableEnabled: z.boolean().optional(),
});

export interface ProcessingPolicyDeps {
  readonly startup: StartupPolicy;
  readonly read: (keys: readonly string[]) => Promise<Record<string, Setting>>;
  readonly write: (changes: readonly SettingChange[]) => Promise<unknown>;
  readonly now: () => number;
}

/** Which automations may act on accounts. */
export interface ProcessingPolicy {
  /** @throws when the stored policy is unreadable: a guess could enable something. */
  get(): Promise<ProcessingPolicyResponse>;
  /** All of it or nothing. @throws AppError 400, 409 `account_processing_policy_env_locked` */
  patch(body: unknown): Promise<ProcessingPolicyResponse>;
  /** For running work: falls back to the last value when it is unreadable. */
  current(): Promise<ProcessingPolicyResponse>;
}

export function createProcessingPolicy(deps: ProcessingPolicyDeps): ProcessingPolicy {
  const { startup } = deps;
  let queue: Promise<unknown> = Promise.resolve();
  let lastGood = effectivePolicy(startup, {}, null);

  async function stored(): Promise<{ readonly policy: StoredPolicy; readonly updatedAtMs: number | null }> {
    const row = (await deps.read([KEY]))[KEY];
    if (row === undefined) return { policy: {}, updatedAtMs: null };
    const parsed = storedSchema.safeParse(JSON.parse(row.value));
    if (!parsed.success) throw new Error('the stored processing policy cannot be read');
    return { policy: withoutGaps(parsed.data), updatedAtMs: row.updatedAtMs };
  }

  async function get(): Promise<ProcessingPolicyResponse> {
    const { policy, updatedAtMs } = await stored();
    lastGood = effectivePolicy(startup, policy, updatedAtMs);
    return lastGood;
  }

  async function change(body: unknown): Promise<ProcessingPolicyResponse> {
    const policy = patchedPolicy(startup, (await stored()).policy, body);
    const updatedAtMs = deps.now();
    await deps.write([{ key: KEY, value: JSON.stringify(policy), updatedAtMs }]);
    lastGood = effectivePolicy(startup, policy, updatedAtMs);
    return lastGood;
  }

  return {
    get,
    patch(body) {
      // One after the other, so that two concurrent changes of different switches both apply.
      const result = queue.then(() => change(body));
      queue = result.catch(() => undefined);
      return result;
    },
    current: () => get().catch(() => lastGood),
  };
}

function withoutGaps(policy: z.infer<typeof storedSchema>): StoredPolicy {
  return Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));
}
