import type {
  PolicyCapability,
  PolicyField,
  ProcessingPolicyResponse,
} from '@manager/core/contract/settings/processing-policy';
import type { TextKey } from '../../platform/i18n/index.ts';

export interface PolicySwitch {
  readonly field: PolicyField;
  readonly label: TextKey;
  readonly hint: TextKey;
  readonly capability: PolicyCapability;
}

/** The switches in the order of their dependencies. */
export function policySwitches(policy: ProcessingPolicyResponse): readonly PolicySwitch[] {
  return [
    {
      field: 'codexQuotaCooldownEnabled',
      label: 'automation.cooldown',
      hint: 'automation.cooldownHint',
      capability: policy.codexQuotaCooldown,
    },
    {
      field: 'authIssueQueueEnabled',
      label: 'automation.queue',
      hint: 'automation.queueHint',
      capability: policy.authIssueQueue,
    },
    {
      field: 'authIssueAutoDisableEnabled',
      label: 'automation.autoDisable',
      hint: 'automation.autoDisableHint',
      capability: policy.authIssueAutoDisable,
    },
  ];
}

/** Enabled, but without effect until the queue is enabled. */
export function isBlocked({ configured, enabled, dependsOn }: PolicyCapability): boolean {
  return configured && !enabled && dependsOn !== undefined;
}

/** Automatic actions on accounts are confirmed before they are enabled. */
export function needsConfirmation(field: PolicyField, on: boolean): boolean {
  return on && field === 'authIssueAutoDisableEnabled';
}
