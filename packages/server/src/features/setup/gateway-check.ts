import { AppError, type ErrorCode } from '@manager/core/contract/errors';
import type { GatewayUsage } from '@manager/core/contract/settings/config';
import { GatewayError } from '../../gateway/errors.ts';
import type { ManagementClient } from '../../gateway/management-client.ts';
import type { GatewayConnection } from '../../platform/config/config.ts';

export interface GatewayCheckDeps {
  /**
   * Its requests carry the hop id of this process, are never redirected and, as explicit ones, pass the refused-key gate.
   */
  readonly management: Pick<ManagementClient, 'readConfig' | 'setUsageStatistics'>;
  /** Whether an address is this manager. */
  readonly pointsToThisManager: (baseUrl: string) => Promise<boolean>;
}

export interface GatewayDemands {
  readonly monitoring: boolean;
  /** Enables usage publishing; only with `monitoring`. */
  readonly ensureUsageStatistics: boolean;
  readonly pollIntervalMs: number;
}

export interface GatewayCheck {
  /**
   * Checks that the key is accepted, that the gateway keeps events long enough for the poll interval, and that it publishes
   * them. Changes only the gateway's usage publishing.
   *
   * @throws AppError 400 or 502 with the code of the failed step.
   */
  check(connection: GatewayConnection, demands: GatewayDemands): Promise<void>;
  /** The current settings of the gateway's usage queue; null when it does not answer. */
  usage(connection: GatewayConnection): Promise<GatewayUsage | null>;
}

const SAVE_TIMEOUT_MS = 30_000;
/** The settings page must open even when the gateway hangs. */
const READ_TIMEOUT_MS = 5_000;
/** The manager's answer to a request with its own hop id. */
const LOOP_DETECTED = 508;

export function createGatewayCheck({ management, pointsToThisManager }: GatewayCheckDeps): GatewayCheck {
  const explicit = { timeoutMs: SAVE_TIMEOUT_MS, explicit: true };

  async function step<T>(connection: GatewayConnection, code: ErrorCode, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const answered = error.status > 0 || error.kind === 'protocol';
      if (!answered) throw new AppError('request_failed', { status: 502, message: error.message, cause: error });
      if (error.status === LOOP_DETECTED || (await pointsToThisManager(connection.baseUrl))) throw loop();
      throw new AppError(code, { message: withStatus(error), cause: error });
    }
  }

  return {
    async check(connection, demands) {
      const readConfig = () => management.readConfig(connection, explicit);
      await step(connection, 'management_api_validation_failed', readConfig);
      if (!demands.monitoring) return;

      // Requested again deliberately: the code distinguishes a refused key from an unreadable configuration.
      const { retentionSeconds } = await step(connection, 'management_api_config_failed', readConfig);
      if (retentionSeconds <= 0) throw new AppError('cpa_usage_retention_invalid');
      if (demands.pollIntervalMs > retentionSeconds * 1000) throw new AppError('poll_interval_exceeds_retention');

      if (!demands.ensureUsageStatistics) return;
      await step(connection, 'enable_cpa_usage_statistics_failed', () =>
        management.setUsageStatistics(connection, true, explicit),
      );
    },
    async usage(connection) {
      try {
        const config = await management.readConfig(connection, { timeoutMs: READ_TIMEOUT_MS });
        return {
          usageStatisticsEnabled: config.usageStatisticsEnabled ?? false,
          redisUsageQueueRetentionSeconds: config.retentionSeconds,
          retentionSourceDefault: config.retentionFromDefault,
        };
      } catch (error) {
        if (error instanceof GatewayError) return null;
        throw error;
      }
    },
  };
}

function withStatus({ message, status }: GatewayError): string {
  return status === 0 || message.includes(String(status)) ? message : `${message} (status ${status})`;
}

function loop(): AppError {
  return new AppError('request_failed', {
    status: 400,
    message: 'this URL leads back to this manager; enter the direct address of the gateway',
  });
}
