import { describe, expect, test } from 'bun:test';
import { ApiError } from '../../platform/api/errors.ts';
import {
  DEFAULT_SETUP,
  restoreSetup,
  setupFailure,
  stepProblem,
  stepsOf,
  stepWarning,
  toRequest,
  withoutKeys,
} from './setup-form.ts';

const banned = new ApiError('status', 'IP banned', {
  path: 'setup/check',
  atMs: 0,
  status: 502,
  code: 'management_api_validation_failed',
  retryAfterSeconds: 90,
  about: { reason: 'address_banned' },
});

const refused = (status: number, code: string, reason = ''): ApiError =>
  new ApiError('status', 'the gateway bans the manager', { path: 'setup', atMs: 0, status, code, about: { reason } });

describe('the setup form', () => {
  test('a step is left only when it is complete', () => {
    expect(stepProblem('adminKey', DEFAULT_SETUP)).toBe('setup.adminKeyMissing');
    expect(stepProblem('upstream', { ...DEFAULT_SETUP, url: 'ftp://x' })).toBe('setup.urlInvalid');
    expect(stepProblem('upstream', { ...DEFAULT_SETUP, url: 'http://' })).toBe('setup.urlInvalid');
    expect(stepProblem('upstream', DEFAULT_SETUP)).toBeNull();
    for (const url of ['http://gate way', 'http://u:p@gw', 'http://gw/a b', 'gw:0', 'gw:99999']) {
      expect(stepProblem('upstream', { ...DEFAULT_SETUP, url })).toBe('setup.urlInvalid');
    }
    for (const url of ['  gw:8317 ', 'http:/gw', 'gw/management.html#/login']) {
      expect(stepProblem('upstream', { ...DEFAULT_SETUP, url })).toBeNull();
    }
    const oneKey = { ...DEFAULT_SETUP, adminKey: 'mgr_x', managementKey: ' mgr_x ' };
    expect(stepProblem('managementKey', oneKey)).toBe('setup.failAdminAsManagement');
  });

  test.each([
    [500, 60_000, null],
    [0, undefined, 'common.numberWrong'],
    [0.5, undefined, 'common.numberWrong'],
    [Number.NaN, undefined, 'common.numberWrong'],
    [60_000, 60_000, null],
    [60_001, 60_000, 'common.numberWrong'],
    [60_001, undefined, null],
    [3_600_001, undefined, 'common.numberWrong'],
  ] as const)(
    'a poll interval of %p ms, of a gateway that keeps events for %p ms: %p',
    (pollIntervalMs, retentionMs, text) => {
      expect(stepProblem('poll', { ...DEFAULT_SETUP, pollIntervalMs }, retentionMs)).toBe(text);
    },
  );

  test('warns of the own address and of the wrong kind of key', () => {
    const origin = 'http://manager:18317';
    expect(stepWarning('upstream', { ...DEFAULT_SETUP, url: 'manager:18317' }, origin)).toBe('setup.loopWarning');
    expect(stepWarning('upstream', DEFAULT_SETUP, origin)).toBeNull();
    expect(stepWarning('managementKey', { ...DEFAULT_SETUP, managementKey: 'mgr_x' }, origin)).toBe(
      'setup.adminKeyWarning',
    );
  });

  test('without monitoring nothing is polled and nothing switched on', () => {
    const form = { ...DEFAULT_SETUP, monitoring: false };
    expect(stepsOf(form)).not.toContain('poll');
    expect(toRequest(form)).toMatchObject({ requestMonitoringEnabled: false, ensureUsageStatisticsEnabled: false });
  });

  test('a reload keeps everything but the keys', () => {
    const form = { ...DEFAULT_SETUP, adminKey: 'a', managementKey: 'b', url: 'http://x:1', batchSize: 7 };
    const stored = JSON.stringify(withoutKeys(form));
    expect(stored).not.toContain('"a"');
    expect(restoreSetup(JSON.parse(stored))).toEqual({ ...form, adminKey: '', managementKey: '' });
    expect(restoreSetup({ batchSize: 'many' })).toEqual(DEFAULT_SETUP);
  });
});

describe('a refused setup', () => {
  test.each([
    [refused(401, 'invalid_admin_key'), 'adminKey', 'setup.failAdminKey'],
    [refused(502, 'management_api_validation_failed', 'key_rejected'), 'managementKey', 'setup.failKey'],
    [refused(502, 'management_api_validation_failed', 'address_banned'), 'managementKey', 'setup.failBanned'],
    [refused(502, 'management_api_validation_failed', 'client_key'), 'managementKey', 'setup.failClientKey'],
    [refused(502, 'management_api_validation_failed', 'not_gateway'), 'upstream', 'setup.failNotGateway'],
    [refused(502, 'management_api_validation_failed', 'template_keys'), 'upstream', 'setup.failTemplateKeys'],
    [refused(502, 'management_api_validation_failed', 'remote_disabled'), 'managementKey', 'setup.failRemote'],
    [refused(502, 'management_api_validation_failed', 'key_not_set'), 'managementKey', 'setup.failNoKey'],
    [refused(502, 'management_api_validation_failed', 'management_off'), 'managementKey', 'setup.failManagementOff'],
    [refused(429, 'management_key_recently_rejected'), 'managementKey', 'setup.failSameKey'],
    [refused(400, 'management_key_is_admin_key'), 'managementKey', 'setup.failAdminAsManagement'],
    [refused(502, 'gateway_speaks_tls'), 'upstream', 'setup.failSpeaksTls'],
    [refused(502, 'gateway_speaks_plain_text'), 'upstream', 'setup.failSpeaksPlain'],
    [refused(502, 'gateway_certificate_untrusted'), 'upstream', 'setup.failCertificate'],
    [refused(502, 'gateway_certificate_other_host'), 'upstream', 'setup.failCertificateHost'],
    [refused(502, 'gateway_certificate_expired'), 'upstream', 'setup.failCertificateDates'],
    [refused(502, 'gateway_tls_failed'), 'upstream', 'setup.failTls'],
    [refused(502, 'gateway_answer_not_http'), 'upstream', 'setup.failNotHttp'],
    [refused(502, 'enable_cpa_usage_statistics_failed'), 'collection', 'setup.failStatistics'],
    [refused(400, 'poll_interval_exceeds_retention'), 'poll', 'setup.failPoll'],
    [refused(502, 'request_failed'), 'upstream', 'setup.failReach'],
    [refused(400, 'gateway_url_is_manager'), 'upstream', 'setup.failLoop'],
    [refused(400, 'gateway_url_invalid'), 'upstream', 'setup.urlInvalid'],
    [refused(400, 'management_key_not_sendable'), 'managementKey', 'setup.failKeyCharacters'],
    [refused(409, 'setup_env_managed'), null, 'setup.envManaged'],
    [banned, 'managementKey', 'setup.failBannedUntil'],
    [new ApiError('network', '', { path: 'setup', atMs: 0 }), 'review', 'failure.network'],
  ] as const)('%# opens %p with %p', (error, step, text) => {
    expect(setupFailure(error, 'review')).toEqual({ step, text });
  });
});
