import type { ConfigPutRequest, ConfigResponse } from '@manager/core/contract/settings/config';
import type { StatusResponse } from '@manager/core/contract/system/status';
import { ApiError } from '../../platform/api/errors.ts';
import { gatewayUrl } from '../../platform/format/gateway-url.ts';
import type { TextKey } from '../../platform/i18n/index.ts';
import { connectionFailure, NO_CONNECTION } from '../../platform/wording/connection-failure.ts';
import { fitsRange, type NumberRange } from '../../platform/wording/number-range.ts';
import { pollRange } from '../../ui/collector/collector-defaults.ts';
import { collectorNumbersFit } from '../../ui/collector/collector-fields.tsx';
import { type InspectionForm, inspectionFormOf, toInspectionRequest } from './inspection-form.ts';
import type { SettingsTab } from './settings-search.ts';

/** Fields of the form; the key is write-only, '' = keep the saved one. */
export interface SettingsForm {
  readonly url: string;
  readonly managementKey: string;
  readonly enabled: boolean;
  readonly mode: 'auto' | 'subscribe' | 'http' | 'resp';
  readonly queue: string;
  readonly popSide: 'left' | 'right';
  readonly batchSize: number;
  readonly pollIntervalMs: number;
  readonly queryLimit: number;
  readonly tlsSkipVerify: boolean;
  readonly inspection: InspectionForm;
}

export function formOf({ config }: ConfigResponse): SettingsForm {
  const { collector } = config;
  return {
    url: config.cpaConnection.cpaBaseUrl,
    managementKey: '',
    enabled: collector.enabled,
    mode: collector.collectorMode,
    queue: collector.queue,
    popSide: collector.popSide,
    batchSize: collector.batchSize,
    pollIntervalMs: collector.pollIntervalMs,
    queryLimit: collector.queryLimit,
    tlsSkipVerify: collector.tlsSkipVerify === true,
    inspection: inspectionFormOf(config.codexInspection),
  };
}

/** Changes the connection, which is confirmed first. */
export function connectionChanges(form: SettingsForm, saved: SettingsForm): boolean {
  return gatewayUrl(form.url) !== saved.url || form.managementKey.trim() !== '';
}

/** Tabs with unsaved changes. */
export function dirtyTabs(form: SettingsForm, saved: SettingsForm): readonly SettingsTab[] {
  const { url: _u, managementKey: _k, inspection: _i, ...collector } = form;
  const { url: _su, managementKey: _sk, inspection: _si, ...savedCollector } = saved;
  const tabs: SettingsTab[] = [];
  if (connectionChanges(form, saved)) tabs.push('connection');
  if (JSON.stringify(collector) !== JSON.stringify(savedCollector)) tabs.push('collector');
  if (JSON.stringify(form.inspection) !== JSON.stringify(saved.inspection)) tabs.push('inspection');
  return tabs;
}

/**
 * Body of the save: the server's present values with the changed fields of this form. The key is left out unless a new one was
 * typed, so that other saves never change it.
 */
export function toConfigRequest(form: SettingsForm, saved: SettingsForm, current: ConfigResponse): ConfigPutRequest {
  const now = formOf(current);
  const changed = <K extends keyof SettingsForm>(name: K): SettingsForm[K] =>
    form[name] === saved[name] ? now[name] : form[name];
  const key = form.managementKey.trim();
  return {
    config: {
      cpaConnection: { cpaBaseUrl: gatewayUrl(changed('url')), ...(key === '' ? {} : { managementKey: key }) },
      collector: {
        enabled: changed('enabled'),
        collectorMode: changed('mode'),
        queue: changed('queue'),
        popSide: changed('popSide'),
        batchSize: changed('batchSize'),
        pollIntervalMs: changed('pollIntervalMs'),
        queryLimit: changed('queryLimit'),
        tlsSkipVerify: changed('tlsSkipVerify'),
      },
      codexInspection: toInspectionRequest(form.inspection, saved.inspection, current.config.codexInspection),
    },
  };
}

const FAILURES: Readonly<Record<string, TextKey>> = {
  connection_env_managed: 'settings.failEnv',
  cpa_connection_required: 'setup.failConnection',
  cpa_connection_required_for_monitoring: 'setup.failConnection',
  management_api_validation_failed: 'setup.failKey',
  management_key_recently_rejected: 'setup.failSameKey',
  management_key_is_admin_key: 'setup.failAdminAsManagement',
  ...NO_CONNECTION,
  management_api_config_failed: 'setup.failConfig',
  enable_cpa_usage_statistics_failed: 'setup.failStatistics',
  poll_interval_exceeds_retention: 'setup.failPoll',
  cpa_usage_retention_invalid: 'setup.failRetention',
  upstream_loop_detected: 'setup.failLoop',
  gateway_url_is_manager: 'setup.failLoop',
  gateway_url_invalid: 'setup.urlInvalid',
  management_key_not_sendable: 'setup.failKeyCharacters',
  invalid_time_zone: 'inspectionSettings.wrongZone',
};

export function saveFailure(error: unknown): TextKey {
  if (!(error instanceof ApiError)) return 'failure.unexpected';
  if (error.kind !== 'status') return error.kind === 'timeout' ? 'failure.timeout' : 'failure.network';
  return (
    connectionFailure(error) ??
    FAILURES[error.code] ??
    (error.status === 502 ? 'setup.failReach' : error.status >= 500 ? 'failure.server' : 'failure.request')
  );
}

/** Without monitoring nothing is polled, and the gateway is not asked. */
export function pollRangeOf(form: SettingsForm, retentionSeconds: number | undefined): NumberRange {
  return pollRange(form.enabled && retentionSeconds !== undefined ? retentionSeconds * 1000 : undefined);
}

/** Why changed numbers of the collector cannot be saved; values that were saved before never prevent another change. */
export function collectorProblem(
  form: SettingsForm,
  saved: SettingsForm,
  retentionSeconds: number | undefined,
): TextKey | null {
  if (!dirtyTabs(form, saved).includes('collector')) return null;
  const fits = collectorNumbersFit(form) && fitsRange(form.pollIntervalMs, pollRangeOf(form, retentionSeconds));
  return fits ? null : 'common.numberWrong';
}

/** Why a subscription is better, or why there is none; null = nothing to say. */
export function pollingAdvice(
  form: SettingsForm,
  transport: StatusResponse['collector']['transport'] | undefined,
): TextKey | null {
  if (!form.enabled || isBehindProxy(form)) return null;
  if (form.mode === 'http' || form.mode === 'resp') return 'settings.pollingAdvice';
  return form.mode === 'auto' && (transport === 'http' || transport === 'resp') ? 'settings.pollingAddress' : null;
}

/** Allowed values that lose events or cannot work. */
export function collectorWarnings(form: SettingsForm, retentionSeconds: number | undefined): readonly TextKey[] {
  const warnings: TextKey[] = [];
  if (retentionSeconds !== undefined && form.enabled && form.pollIntervalMs > retentionSeconds * 1000)
    warnings.push('note.pollText');
  if ((form.mode === 'subscribe' || form.mode === 'resp') && isBehindProxy(form)) warnings.push('settings.respWarning');
  return warnings;
}

/** Probably only HTTP reaches the gateway there. */
function isBehindProxy(form: SettingsForm): boolean {
  const url = gatewayUrl(form.url);
  if (!URL.canParse(url)) return false;
  const { protocol, port, pathname, host } = new URL(url);
  return pathname !== '/' || (protocol === 'https:' && port === '') || host === globalThis.location?.host;
}
