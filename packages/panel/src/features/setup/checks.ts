import type { SetupRequest } from '@manager/core/contract/setup';
import { type SetupForm, type Step, toRequest } from './setup-form.ts';

/**
 * What is sent to check a step, null = it has nothing to check. The requests build on each other: the admin key alone, then the
 * address, then the management key.
 */
export function checkRequest(step: Step, form: SetupForm): SetupRequest | null {
  const { cpaBaseUrl, cpaManagementKey, tlsSkipVerify } = toRequest(form);
  switch (step) {
    case 'adminKey':
      return {};
    case 'upstream':
      return { cpaBaseUrl, tlsSkipVerify };
    case 'managementKey':
      return { cpaBaseUrl, cpaManagementKey, tlsSkipVerify };
    case 'collection':
    case 'poll':
    case 'review':
      return null;
  }
}

/** Stands for the values that the check of a step was about: another value needs another check. */
export function checkMark(step: Step, form: SetupForm): string {
  return JSON.stringify([form.adminKey.trim(), checkRequest(step, form)]);
}

/** Marks of passed checks; they contain keys and stay in memory. */
export type PassedChecks = Readonly<Partial<Record<Step, string>>>;

/** Whether nothing is left to check in a step. */
export function isChecked(step: Step, form: SetupForm, passed: PassedChecks): boolean {
  return checkRequest(step, form) === null || passed[step] === checkMark(step, form);
}
