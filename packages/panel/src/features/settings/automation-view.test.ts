import { expect, test } from 'bun:test';
import type { PolicyCapability } from '@manager/core/contract/settings/processing-policy';
import { isBlocked, needsConfirmation, policySwitches } from './automation-view.ts';

const capability = (fields: Partial<PolicyCapability> = {}): PolicyCapability => ({
  enabled: false,
  configured: false,
  source: 'database',
  locked: false,
  envKey: 'ENV_KEY',
  configFileKey: 'file.key',
  ...fields,
});

test('every switch is beside its setting', () => {
  const [codexQuotaCooldown, authIssueQueue, authIssueAutoDisable] = [capability(), capability(), capability()];
  const switches = policySwitches({ source: 'database', codexQuotaCooldown, authIssueQueue, authIssueAutoDisable });
  expect(switches.map(({ field }) => field)).toEqual([
    'codexQuotaCooldownEnabled',
    'authIssueQueueEnabled',
    'authIssueAutoDisableEnabled',
  ]);
  expect(switches.map((one) => one.capability)).toEqual([codexQuotaCooldown, authIssueQueue, authIssueAutoDisable]);
});

test.each([
  [{ configured: true, dependsOn: 'authIssueQueue' as const }, true],
  [{ configured: true, enabled: true, dependsOn: 'authIssueQueue' as const }, false],
  [{ dependsOn: 'authIssueQueue' as const }, false],
  [{ configured: true }, false],
])('blocked is what is wanted but waits for another: %p', (fields, blocked) => {
  expect(isBlocked(capability(fields))).toBe(blocked);
});

test('only automatic disabling is confirmed, and only when it is enabled', () => {
  expect(needsConfirmation('authIssueAutoDisableEnabled', true)).toBe(true);
  expect(needsConfirmation('authIssueAutoDisableEnabled', false)).toBe(false);
  expect(needsConfirmation('authIssueQueueEnabled', true)).toBe(false);
});
