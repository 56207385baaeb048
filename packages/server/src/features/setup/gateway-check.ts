import { AppError, type ErrorCode } from '@manager/core/contract/errors';
import type { GatewayUsage } from '@manager/core/contract/settings/config';
import type { GatewayConfig } from '../../gateway/config-answer.ts';
import { banMs, failedAnswer, GatewayError, refusalReason } from '../../gateway/errors.ts';
import type { ManagementClient } from '../../gateway/management-client.ts';
import type { KeyRefusalGate } from '../../gateway/types.ts';
import type { GatewayConnection } from '../../platform/config/config.ts';
import type { GatewayProbe, GatewayTraits } from './gateway-probe.ts';
import type { ProbedAddress } from './keyless-request.ts';

export interface GatewayCheckDeps {
  /**
   * Its requests carry the hop id of this process, are never redirected and, as explicit ones, pass the refused-key gate.
   */
  readonly management: Pick<ManagementClient, 'readConfig' | 'setUsageStatistics'>;
  /** Whether an address is this manager. */
  readonly pointsToThisManager: (target: ProbedAddress) => Promise<boolean>;
  readonly probe: GatewayProbe;
  readonly gate: Pick<KeyRefusalGate, 'triesLeft'>;
  readonly now: () => number;
}

export interface GatewayDemands {
  readonly monitoring: boolean;
  /** Enables usage publishing; only with `monitoring`. */
  readonly ensureUsageStatistics: boolean;
  readonly pollIntervalMs: number;
  readonly tlsSkipVerify: boolean;
}

export interface GatewayCheck {
  /**
   * Checks that the key is accepted, that the gateway keeps events long enough for the poll interval, and that it publishes
   * them. Changes only the gateway's usage publishing.
   *
   * @throws AppError 400 or 502 with the code of the failed step.
   */
  check(connection: GatewayConnection, demands: GatewayDemands): Promise<void>;
  /**
   * Checks that a gateway answers at an address, without any key.
   *
   * @throws AppError 400 or 502
   */
  address(target: ProbedAddress): Promise<void>;
  /**
   * Checks that the gateway accepts the key, with one request.
   *
   * @throws AppError like `check`
   */
  key(connection: GatewayConnection, options: { readonly tlsSkipVerify: boolean }): Promise<GatewayUsage>;
  /** The current settings of the gateway's usage queue; null when it does not answer. */
  usage(connection: GatewayConnection, options: { readonly tlsSkipVerify: boolean }): Promise<GatewayUsage | null>;
}

const SAVE_TIMEOUT_MS = 30_000;
/** The settings page must open even when the gateway hangs. */
const READ_TIMEOUT_MS = 5_000;
/** The manager's answer to a request with its own hop id. */
const LOOP_DETECTED = 508;
const NOT_FOUND = 404;

export function createGatewayCheck(deps: GatewayCheckDeps): GatewayCheck {
  const { management, gate, probe } = deps;

  /** Codes depend on the step; the reason of a refusal and how many tries are left are beside them. */
  async function answerOf(
    connection: GatewayConnection & ProbedAddress,
    code: ErrorCode,
    error: GatewayError,
  ): Promise<AppError> {
    if (error.kind === 'gate_shut') {
      const waitMs = Math.max((error.refused?.nextTryAtMs ?? 0) - deps.now(), 0);
      return recentlyRejected(waitMs, gate.triesLeft(connection), error);
    }
    if (error.kind !== 'key_refused') return (await otherServer(connection, error)) ?? plainAnswer(code, error);
    const reason = refusalReason(error.message);
    if (reason === 'address_banned') return banned(code, error);
    if (reason !== 'key_rejected')
      return new AppError(code, { message: error.message, details: { reason }, cause: error });
    const triesLeft = gate.triesLeft(connection);
    const isClientKey = await probe.isClientKey(connection, connection.managementKey);
    const what = isClientKey ? CLIENT_KEY : withStatus(error);
    const details = { reason: isClientKey ? 'client_key' : reason, triesLeft };
    return new AppError(code, { message: `${what}; ${triesText(triesLeft)}`, details, cause: error });
  }

  /** The answer for an address without the management API that shows why; null = it does not, or the cause is another. */
  async function otherServer(target: ProbedAddress, error: GatewayError): Promise<AppError | null> {
    if (error.status !== NOT_FOUND && error.kind !== 'protocol') return null;
    try {
      return traitProblem(await probe.traits(target));
    } catch {
      return null;
    }
  }

  async function step<T>(
    connection: GatewayConnection & ProbedAddress,
    code: ErrorCode,
    call: () => Promise<T>,
  ): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const answered = error.status > 0 || error.kind === 'protocol';
      if (!answered && error.kind !== 'gate_shut') throw failedAnswer(error);
      if (error.status === LOOP_DETECTED || (answered && (await deps.pointsToThisManager(connection))))
        throw new AppError('gateway_url_is_manager');
      throw await answerOf(connection, code, error);
    }
  }

  return {
    async check(connection, demands) {
      const { tlsSkipVerify } = demands;
      const explicit = { timeoutMs: SAVE_TIMEOUT_MS, explicit: true, tlsSkipVerify };
      const target = { ...connection, tlsSkipVerify };
      const readConfig = () => management.readConfig(connection, explicit);
      await step(target, 'management_api_validation_failed', readConfig);
      if (!demands.monitoring) return;

      // Requested again deliberately: the code distinguishes a refused key from an unreadable configuration.
      const { retentionSeconds } = await step(target, 'management_api_config_failed', readConfig);
      if (retentionSeconds <= 0) throw new AppError('cpa_usage_retention_invalid');
      if (demands.pollIntervalMs > retentionSeconds * 1000) throw pollTooLong(retentionSeconds * 1000);

      if (!demands.ensureUsageStatistics) return;
      await step(target, 'enable_cpa_usage_statistics_failed', () =>
        management.setUsageStatistics(connection, true, explicit),
      );
    },
    async address(target) {
      let traits: GatewayTraits;
      try {
        traits = await probe.traits(target);
      } catch (error) {
        throw error instanceof GatewayError ? failedAnswer(error) : error;
      }
      if (await deps.pointsToThisManager(target)) throw new AppError('gateway_url_is_manager');
      const problem = traitProblem(traits);
      if (problem !== null) throw problem;
    },
    async key(connection, { tlsSkipVerify }) {
      const explicit = { timeoutMs: SAVE_TIMEOUT_MS, explicit: true, tlsSkipVerify };
      const target = { ...connection, tlsSkipVerify };
      const readConfig = () => management.readConfig(connection, explicit);
      return usageOf(await step(target, 'management_api_validation_failed', readConfig));
    },
    async usage(connection, { tlsSkipVerify }) {
      try {
        return usageOf(await management.readConfig(connection, { timeoutMs: READ_TIMEOUT_MS, tlsSkipVerify }));
      } catch (error) {
        if (error instanceof GatewayError) return null;
        throw error;
      }
    },
  };
}

function pollTooLong(most: number): AppError {
  return new AppError('poll_interval_exceeds_retention', {
    message: `the poll interval is longer than the gateway keeps events; set pollIntervalMs from 1 to ${most}`,
    details: { least: 1, most },
  });
}

function usageOf(config: GatewayConfig): GatewayUsage {
  return {
    usageStatisticsEnabled: config.usageStatisticsEnabled ?? false,
    redisUsageQueueRetentionSeconds: config.retentionSeconds,
    retentionSourceDefault: config.retentionFromDefault,
  };
}

const CLIENT_KEY =
  'this is a client key of the gateway; enter its management key, which is remote-management.secret-key in its configuration';
const NOT_A_GATEWAY =
  'what answers at this URL is not a gateway; enter the address of the gateway itself, usually with port 8317';
const TEMPLATE_KEYS =
  'the gateway still has the example client keys of its template and refuses every request; replace api-keys in its configuration';

/** Why nothing can be collected from what answers, whatever the key; null = it can. */
function traitProblem({ isGateway, hasTemplateKeys }: GatewayTraits): AppError | null {
  if (isGateway && !hasTemplateKeys) return null;
  const [reason, message] = isGateway ? ['template_keys', TEMPLATE_KEYS] : ['not_gateway', NOT_A_GATEWAY];
  return new AppError('management_api_validation_failed', { message, details: { reason } });
}

function plainAnswer(code: ErrorCode, error: GatewayError): AppError {
  const details = error.status === NOT_FOUND ? { reason: 'management_off' } : {};
  return new AppError(code, { message: withStatus(error), details, cause: error });
}

/** The gateway reports when a ban ends. */
function banned(code: ErrorCode, error: GatewayError): AppError {
  const waitMs = banMs(error.message);
  const retryAfterSeconds = waitMs === null ? null : Math.ceil(waitMs / 1000);
  return new AppError(code, {
    message: error.message,
    ...(retryAfterSeconds === null ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } }),
    details: { reason: 'address_banned', ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) },
    cause: error,
  });
}

function withStatus({ message, status }: GatewayError): string {
  return status === 0 || message.includes(String(status)) ? message : `${message} (status ${status})`;
}

/** @example triesText(1) // 'one more rejected key and the gateway bans the manager for 30 minutes' */
function triesText(triesLeft: number): string {
  if (triesLeft === 0) return 'the gateway now refuses the manager for 30 minutes; wait, then save the right key once';
  if (triesLeft === 1) return 'one more rejected key and the gateway bans the manager for 30 minutes';
  return `${triesLeft} tries left before the gateway bans the manager for 30 minutes`;
}

function recentlyRejected(waitMs: number, triesLeft: number, cause: Error): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const minutes = Math.ceil(waitMs / 60_000);
  return new AppError('management_key_recently_rejected', {
    message:
      `the gateway rejected this key at this URL before, so it was not sent again; ${triesText(triesLeft)}. ` +
      `Enter another key; if you have just set this one at the gateway, save it again in ${minutes} min`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
    details: { triesLeft, retryAfterSeconds },
    cause,
  });
}
