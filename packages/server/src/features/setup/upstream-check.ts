import type { UpstreamUsage } from '@manager/core/contract/config';
import { AppError, type ErrorCode } from '@manager/core/contract/errors';
import { SERVICE_NAME } from '@manager/core/contract/info';
import type { UpstreamConnection } from '../../config/config.ts';
import { UpstreamError } from '../../upstream/errors.ts';

export interface UpstreamAnswer {
  readonly status: number;
  /** Parsed JSON; undefined when the body is none. */
  readonly body: unknown;
}

export interface UpstreamCallOptions {
  readonly timeoutMs: number;
  /** Asked for by a person who saves a connection: passes the refused-key gate, and its success opens it. */
  readonly explicit: boolean;
}

/**
 * The few calls that setting up a connection needs. Every HTTP status is an answer; redirects are not followed, so that the
 * key stays with the host it was given for; requests carry this process's hop id. Without an answer they throw.
 */
export interface SetupUpstream {
  /** `GET {url}/v0/management/config` */
  readConfig(connection: UpstreamConnection, options: UpstreamCallOptions): Promise<UpstreamAnswer>;
  /** `PUT {url}/v0/management/usage-statistics-enabled` with `{"value":true}` */
  enableUsageStatistics(connection: UpstreamConnection, options: UpstreamCallOptions): Promise<UpstreamAnswer>;
  /** `GET {url}/usage-service/info`, without the key. */
  readInfo(baseUrl: string, options: { readonly timeoutMs: number }): Promise<UpstreamAnswer>;
}

export interface UpstreamCheckDeps {
  readonly upstream: SetupUpstream;
  /** Process start, ms; tells this manager from another one. */
  readonly startedAt: number;
}

export interface UpstreamDemands {
  readonly monitoring: boolean;
  /** Switch on usage publishing; only with `monitoring`. */
  readonly ensureUsageStatistics: boolean;
  readonly pollIntervalMs: number;
}

export interface UpstreamCheck {
  /**
   * Proves that the key opens this upstream, that it keeps events long enough for the poll interval, and that it publishes
   * them. Changes nothing but the upstream's usage publishing.
   *
   * @throws AppError 400 or 502 with the code of the failed step.
   */
  check(connection: UpstreamConnection, demands: UpstreamDemands): Promise<void>;
  /** What the upstream says about its usage queue now; null when it does not answer. */
  usage(connection: UpstreamConnection): Promise<UpstreamUsage | null>;
}

const SAVE_TIMEOUT_MS = 30_000;
/** The settings page must open even when the upstream hangs. */
const READ_TIMEOUT_MS = 5_000;
const DEFAULT_RETENTION_SECONDS = 60;

export function createUpstreamCheck({ upstream, startedAt }: UpstreamCheckDeps): UpstreamCheck {
  const explicit = { timeoutMs: SAVE_TIMEOUT_MS, explicit: true };

  async function requireUsage(connection: UpstreamConnection, code: ErrorCode): Promise<UpstreamUsage> {
    const answer = await ask(() => upstream.readConfig(connection, explicit));
    if (!isOk(answer)) {
      if (await isThisManager(connection.baseUrl, answer)) throw loop();
      throw refused(code, answer);
    }
    const usage = toUsage(answer.body);
    if (usage === null)
      throw new AppError(code, {
        message: 'this URL answers, but not with the configuration of an upstream; check the URL',
      });
    return usage;
  }

  async function isThisManager(baseUrl: string, answer: UpstreamAnswer): Promise<boolean> {
    if (answer.status === 508) return true;
    const info = await upstream.readInfo(baseUrl, { timeoutMs: READ_TIMEOUT_MS }).catch(() => null);
    const body = info === null ? null : objectOf(info.body);
    return body?.service === SERVICE_NAME && body.startedAt === startedAt;
  }

  return {
    async check(connection, demands) {
      await requireUsage(connection, 'management_api_validation_failed');
      if (!demands.monitoring) return;
      const { redisUsageQueueRetentionSeconds } = await requireUsage(connection, 'management_api_config_failed');
      if (redisUsageQueueRetentionSeconds <= 0) throw new AppError('cpa_usage_retention_invalid');
      if (demands.pollIntervalMs > redisUsageQueueRetentionSeconds * 1000)
        throw new AppError('poll_interval_exceeds_retention');
      if (!demands.ensureUsageStatistics) return;
      const answer = await ask(() => upstream.enableUsageStatistics(connection, explicit));
      if (!isOk(answer)) throw refused('enable_cpa_usage_statistics_failed', answer);
    },
    async usage(connection) {
      try {
        const answer = await upstream.readConfig(connection, { timeoutMs: READ_TIMEOUT_MS, explicit: false });
        return isOk(answer) ? toUsage(answer.body) : null;
      } catch {
        return null;
      }
    },
  };
}

async function ask(call: () => Promise<UpstreamAnswer>): Promise<UpstreamAnswer> {
  try {
    return await call();
  } catch (cause) {
    const message = cause instanceof UpstreamError ? cause.message : 'the upstream cannot be reached';
    throw new AppError('request_failed', { status: 502, message, cause });
  }
}

function refused(code: ErrorCode, { status }: UpstreamAnswer): AppError {
  return new AppError(code, { message: `${advice(status, code)} (status ${status})` });
}

function advice(status: number, code: ErrorCode): string {
  if (status === 401) return 'the upstream refused the management key; check the key';
  if (status === 403)
    return 'the upstream refused this address; allow remote management there, or wait until its ban of wrong keys ends';
  if (status === 404)
    return 'the upstream has no management API at this URL; check the URL, and that a management key is set there';
  if (status >= 300 && status < 400) return 'this URL redirects; enter the direct address of the upstream';
  return code === 'enable_cpa_usage_statistics_failed'
    ? 'the upstream did not switch on usage publishing'
    : 'the upstream did not answer its configuration';
}

function loop(): AppError {
  return new AppError('request_failed', {
    status: 400,
    message: 'this URL leads back to the manager; enter the direct address of the upstream',
  });
}

function isOk({ status }: UpstreamAnswer): boolean {
  return status >= 200 && status < 300;
}

function toUsage(body: unknown): UpstreamUsage | null {
  const config = objectOf(body);
  if (config === null) return null;
  const retention =
    toNumber(config['redis-usage-queue-retention-seconds']) ?? toNumber(config.redisUsageQueueRetentionSeconds);
  return {
    usageStatisticsEnabled: (config['usage-statistics-enabled'] ?? config.usageStatisticsEnabled) === true,
    redisUsageQueueRetentionSeconds: retention ?? DEFAULT_RETENTION_SECONDS,
    retentionSourceDefault: retention === null,
  };
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}
