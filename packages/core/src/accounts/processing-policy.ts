import { AppError } from '../contract/errors.ts';
import {
  POLICY_FIELDS,
  type PolicyCapability,
  type PolicyField,
  type ProcessingPolicyResponse,
  processingPolicyPatchSchema,
} from '../contract/settings/processing-policy.ts';

/** The startup value of one switch. */
export interface StartupSwitch {
  /** From the environment, else the configuration file, else false. */
  readonly enabled: boolean;
  /** Set by the environment. */
  readonly locked: boolean;
}

export interface StartupPolicy {
  readonly quotaCooldown: StartupSwitch;
  readonly accountActions: StartupSwitch;
  readonly accountActionsAutoDisable: StartupSwitch;
}

/** Saved switches, by name; absent = never saved. */
export type StoredPolicy = Readonly<Partial<Record<PolicyField, boolean>>>;

const KEYS = {
  codexQuotaCooldownEnabled: {
    startup: 'quotaCooldown',
    envKey: 'USAGE_QUOTA_COOLDOWN_ENABLED',
    configFileKey: 'quotaCooldownEnabled',
  },
  authIssueQueueEnabled: {
    startup: 'accountActions',
    envKey: 'USAGE_ACCOUNT_ACTIONS_ENABLED',
    configFileKey: 'accountActionsEnabled',
  },
  authIssueAutoDisableEnabled: {
    startup: 'accountActionsAutoDisable',
    envKey: 'USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE',
    configFileKey: 'accountActionsAutoDisable',
  },
} as const satisfies Record<
  PolicyField,
  { readonly startup: keyof StartupPolicy; readonly envKey: string; readonly configFileKey: string }
>;

function capability(field: PolicyField, startup: StartupPolicy, stored: StoredPolicy): PolicyCapability {
  const { startup: name, envKey, configFileKey } = KEYS[field];
  const { enabled, locked } = startup[name];
  const saved = stored[field];
  const configured = locked ? enabled : (saved ?? enabled);
  const source = locked ? 'env' : saved === undefined ? 'startup' : 'database';
  return { enabled: configured, configured, source, locked, envKey, configFileKey };
}

/** The policy in effect: environment over saved value over configuration file. */
export function effectivePolicy(
  startup: StartupPolicy,
  stored: StoredPolicy,
  updatedAtMs: number | null,
): ProcessingPolicyResponse {
  const codexQuotaCooldown = capability('codexQuotaCooldownEnabled', startup, stored);
  const authIssueQueue = capability('authIssueQueueEnabled', startup, stored);
  const autoDisable = capability('authIssueAutoDisableEnabled', startup, stored);
  const sources = [codexQuotaCooldown, authIssueQueue, autoDisable].map(({ source }) => source);
  return {
    source: sources.includes('database') ? 'database' : sources.includes('env') ? 'env' : 'startup',
    ...(updatedAtMs === null ? {} : { updatedAtMs }),
    codexQuotaCooldown,
    authIssueQueue,
    authIssueAutoDisable: {
      ...autoDisable,
      enabled: autoDisable.configured && authIssueQueue.enabled,
      dependsOn: 'authIssueQueue',
    },
  };
}

/**
 * The policy to save after a PATCH: all of it or nothing.
 *
 * @param body decoded JSON
 * @throws AppError 400 for a wrong type, 409 when a switch in it is set by the environment
 */
export function patchedPolicy(startup: StartupPolicy, stored: StoredPolicy, body: unknown): StoredPolicy {
  const parsed = processingPolicyPatchSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'request body';
    throw new AppError('invalid_request', { message: `${place}: ${issue?.message ?? 'not valid'}` });
  }
  const result: Partial<Record<PolicyField, boolean>> = { ...stored };
  for (const field of POLICY_FIELDS) {
    const value = parsed.data[field];
    if (value === undefined || value === null) continue;
    const { startup: name, envKey } = KEYS[field];
    if (startup[name].locked) {
      throw new AppError('account_processing_policy_env_locked', {
        message: `${field} is set by the environment variable ${envKey}; change it there`,
      });
    }
    result[field] = value;
  }
  return result;
}
