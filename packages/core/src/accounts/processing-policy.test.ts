import { describe, expect, test } from 'bun:test';
import { AppError } from '../contract/errors.ts';
import { processingPolicyResponseSchema } from '../contract/settings/processing-policy.ts';
import vectors from './fixtures/cooldown-vectors.json';
import { effectivePolicy, patchedPolicy, type StartupSwitch, type StoredPolicy } from './processing-policy.ts';

test('the fixture has vectors of the processing policy', () => {
  expect(vectors.processingPolicy.length).toBeGreaterThan(0);
});

/** As the configuration reads it: blank counts as not set. */
function startupSwitch(text: string | undefined, fromFile: boolean | undefined): StartupSwitch {
  const word = (text ?? '').trim().toLowerCase();
  if (word === '') return { enabled: fromFile ?? false, locked: false };
  return { enabled: ['1', 'true', 'yes', 'on'].includes(word), locked: true };
}

describe('processing policy', () => {
  for (const vector of vectors.processingPolicy) {
    test(vector.name, () => {
      const env: Record<string, string | undefined> = vector.env;
      const file: Record<string, boolean | undefined> = vector.configFile;
      const startup = {
        quotaCooldown: startupSwitch(env.USAGE_QUOTA_COOLDOWN_ENABLED, file.quotaCooldownEnabled),
        accountActions: startupSwitch(env.USAGE_ACCOUNT_ACTIONS_ENABLED, file.accountActionsEnabled),
        accountActionsAutoDisable: startupSwitch(
          env.USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE,
          file.accountActionsAutoDisable,
        ),
      };
      let stored: StoredPolicy = vector.stored;
      if ('patch' in vector) {
        let status = 200;
        let code: string | null = null;
        try {
          stored = patchedPolicy(startup, stored, vector.patch);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          status = error.status;
          ({ code } = error.toBody());
        }
        expect({ status, code }).toEqual({ status: vector.expectHttp ?? 0, code: vector.expectCode ?? null });
        expect<unknown>(stored).toEqual(vector.expectStored);
      }
      const answer = effectivePolicy(startup, stored, null);
      expect<unknown>(answer).toEqual(vector.expectGet);
      expect(processingPolicyResponseSchema.parse(answer)).toEqual(answer);
    });
  }

  test('the answer holds the time of the save', () => {
    const off = { enabled: false, locked: false };
    const startup = { quotaCooldown: off, accountActions: off, accountActionsAutoDisable: off };
    expect(effectivePolicy(startup, {}, 5).updatedAtMs).toBe(5);
    expect(() => patchedPolicy(startup, {}, [])).toThrow(AppError);
  });
});
