import { gatewayUrlProblem } from '@manager/core/connection/gateway-url';
import type { SetupRequest } from '@manager/core/contract/setup';
import { ApiError } from '../../platform/api/errors.ts';
import { isRecord } from '../../platform/browser/storage.ts';
import { gatewayUrl } from '../../platform/format/gateway-url.ts';
import type { TextKey } from '../../platform/i18n/index.ts';
import { connectionFailure, isNoConnection, NO_CONNECTION } from '../../platform/wording/connection-failure.ts';
import { fitsRange } from '../../platform/wording/number-range.ts';
import { DEFAULT_COLLECTOR, pollRange } from '../../ui/collector/collector-defaults.ts';
import { type CollectorValues, collectorNumbersFit } from '../../ui/collector/collector-fields.tsx';

const STEPS = ['adminKey', 'upstream', 'managementKey', 'collection', 'poll', 'review'] as const;
export type Step = (typeof STEPS)[number];

export interface SetupForm extends CollectorValues {
  readonly adminKey: string;
  readonly url: string;
  readonly managementKey: string;
  readonly monitoring: boolean;
  readonly statistics: boolean;
  readonly pollIntervalMs: number;
}

export const DEFAULT_SETUP: SetupForm = {
  adminKey: '',
  url: 'http://host.docker.internal:8317',
  managementKey: '',
  monitoring: true,
  statistics: true,
  ...DEFAULT_COLLECTOR,
  mode: 'auto',
  queue: 'usage',
  popSide: 'right',
  tlsSkipVerify: false,
};

export const URL_CHOICES = [
  { url: 'http://host.docker.internal:8317', label: 'setup.choiceHost' },
  { url: 'http://gateway:8317', label: 'setup.choiceNetwork' },
  { url: 'http://127.0.0.1:8317', label: 'setup.choiceNative' },
] as const satisfies readonly { readonly url: string; readonly label: TextKey }[];

/** Without the poll step when nothing is polled. */
export function stepsOf(form: SetupForm): readonly Step[] {
  return form.monitoring ? STEPS : STEPS.filter((step) => step !== 'poll');
}

/** Why a step cannot be completed, null = it can. Decided here, before any request. */
export function stepProblem(step: Step, form: SetupForm, retentionMs?: number): TextKey | null {
  switch (step) {
    case 'adminKey':
      return form.adminKey.trim() === '' ? 'setup.adminKeyMissing' : null;
    case 'upstream': {
      const url = gatewayUrl(form.url);
      if (url === '') return 'setup.urlMissing';
      if (gatewayUrlProblem(url) !== null) return 'setup.urlInvalid';
      return collectorNumbersFit(form) ? null : 'common.numberWrong';
    }
    case 'managementKey': {
      const key = form.managementKey.trim();
      if (key === '') return 'setup.managementKeyMissing';
      return key === form.adminKey.trim() ? 'setup.failAdminAsManagement' : null;
    }
    case 'poll':
      return fitsRange(form.pollIntervalMs, pollRange(retentionMs)) ? null : 'common.numberWrong';
    case 'collection':
    case 'review':
      return null;
  }
}

/** Allowed, with a warning. */
export function stepWarning(step: Step, form: SetupForm, pageOrigin: string): TextKey | null {
  if (step === 'upstream') {
    const url = gatewayUrl(form.url);
    if (!URL.canParse(url)) return null;
    const { origin, host } = new URL(url);
    if (origin === pageOrigin || host === new URL(pageOrigin).host) return 'setup.loopWarning';
  }
  if (step === 'managementKey' && form.managementKey.trim().startsWith('mgr_')) return 'setup.adminKeyWarning';
  return null;
}

export function toRequest(form: SetupForm): SetupRequest {
  return {
    cpaBaseUrl: gatewayUrl(form.url),
    cpaManagementKey: form.managementKey.trim(),
    requestMonitoringEnabled: form.monitoring,
    ensureUsageStatisticsEnabled: form.monitoring && form.statistics,
    pollIntervalMs: form.pollIntervalMs,
    collectorMode: form.mode,
    queue: form.queue.trim(),
    popSide: form.popSide,
    batchSize: form.batchSize,
    queryLimit: form.queryLimit,
    tlsSkipVerify: form.tlsSkipVerify,
  };
}

export interface SetupFailure {
  /** Step to open again; null = the wizard cannot be used. */
  readonly step: Step | null;
  readonly text: TextKey;
}

const FAILURES: Readonly<Record<string, SetupFailure>> = {
  invalid_admin_key: { step: 'adminKey', text: 'setup.failAdminKey' },
  cpa_connection_required: { step: 'upstream', text: 'setup.failConnection' },
  management_api_config_failed: { step: 'upstream', text: 'setup.failConfig' },
  upstream_loop_detected: { step: 'upstream', text: 'setup.failLoop' },
  gateway_url_is_manager: { step: 'upstream', text: 'setup.failLoop' },
  gateway_url_invalid: { step: 'upstream', text: 'setup.urlInvalid' },
  management_key_not_sendable: { step: 'managementKey', text: 'setup.failKeyCharacters' },
  management_api_validation_failed: { step: 'managementKey', text: 'setup.failKey' },
  management_key_recently_rejected: { step: 'managementKey', text: 'setup.failSameKey' },
  management_key_is_admin_key: { step: 'managementKey', text: 'setup.failAdminAsManagement' },
  invalid_management_key: { step: 'managementKey', text: 'setup.failKey' },
  invalid_existing_management_key: { step: 'managementKey', text: 'setup.failBound' },
  enable_cpa_usage_statistics_failed: { step: 'collection', text: 'setup.failStatistics' },
  cpa_connection_required_for_monitoring: { step: 'collection', text: 'setup.failConnection' },
  poll_interval_exceeds_retention: { step: 'poll', text: 'setup.failPoll' },
  cpa_usage_retention_invalid: { step: 'poll', text: 'setup.failRetention' },
  setup_env_managed: { step: null, text: 'setup.envManaged' },
  connection_env_managed: { step: null, text: 'setup.envManaged' },
};

/** Reasons of a refusal that are about the address, not about the key. */
const ADDRESS_REASONS: ReadonlySet<unknown> = new Set(['not_gateway', 'template_keys']);

/**
 * Which step a refused setup or check belongs to, and its solution.
 *
 * @param current the open step; failures that belong to no other are shown there
 */
export function setupFailure(error: unknown, current: Step): SetupFailure {
  if (!(error instanceof ApiError)) return { step: current, text: 'failure.unexpected' };
  if (error.kind !== 'status')
    return { step: current, text: error.kind === 'timeout' ? 'failure.timeout' : 'failure.network' };
  const refusal = connectionFailure(error);
  if (refusal !== null)
    return { step: ADDRESS_REASONS.has(error.about.reason) ? 'upstream' : 'managementKey', text: refusal };
  if (isNoConnection(error.code)) return { step: 'upstream', text: NO_CONNECTION[error.code] };
  const known = FAILURES[error.code];
  if (known !== undefined) return known;
  if (error.status === 401) return { step: 'adminKey', text: 'setup.failAdminKey' };
  if (error.status === 429) return { step: 'adminKey', text: 'signIn.tooMany' };
  if (error.status === 502) return { step: 'upstream', text: 'setup.failReach' };
  return { step: current, text: error.status >= 500 ? 'failure.server' : 'failure.request' };
}

/** Kept over a reload of the page: everything but the keys. */
export function withoutKeys(form: SetupForm): Omit<SetupForm, 'adminKey' | 'managementKey'> {
  const { adminKey: _admin, managementKey: _management, ...rest } = form;
  return rest;
}

export function restoreSetup(stored: unknown): SetupForm {
  if (!isRecord(stored)) return DEFAULT_SETUP;
  const kept = Object.fromEntries(
    Object.entries(withoutKeys(DEFAULT_SETUP)).map(([name, value]) => [
      name,
      typeof stored[name] === typeof value ? stored[name] : value,
    ]),
  );
  return { ...DEFAULT_SETUP, ...kept };
}
