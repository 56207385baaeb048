import { AppError, type ErrorCode } from '@manager/core/contract/errors';
import type { UpstreamUsage } from '@manager/core/contract/settings/config';
import { UpstreamError } from '../../gateway/errors.ts';
import type { ManagementClient } from '../../gateway/management-client.ts';
import type { UpstreamConnection } from '../../platform/config/config.ts';

export interface UpstreamCheckDeps {
  /** Its calls carry the hop id of this process, are never redirected and, as explicit ones, pass the refused-key gate. */
  readonly management: Pick<ManagementClient, 'readConfig' | 'setUsageStatistics'>;
  /** Whether an address is this very manager. */
  readonly leadsBackHere: (baseUrl: string) => Promise<boolean>;
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
/** What the manager answers to a request that carries its own hop id. */
const LOOP_DETECTED = 508;

export function createUpstreamCheck({ management, leadsBackHere }: UpstreamCheckDeps): UpstreamCheck {
  const explicit = { timeoutMs: SAVE_TIMEOUT_MS, explicit: true };

  async function step<T>(connection: UpstreamConnection, code: ErrorCode, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const answered = error.status > 0 || error.kind === 'protocol';
      if (!answered) throw new AppError('request_failed', { status: 502, message: error.message, cause: error });
      if (error.status === LOOP_DETECTED || (await leadsBackHere(connection.baseUrl))) throw loop();
      throw new AppError(code, { message: withStatus(error), cause: error });
    }
  }

  return {
    async check(connection, demands) {
      const readConfig = () => management.readConfig(connection, explicit);
      await step(connection, 'management_api_validation_failed', readConfig);
      if (!demands.monitoring) return;

      // Asked again on purpose: the code tells a refused key from a configuration that cannot be read.
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
        if (error instanceof UpstreamError) return null;
        throw error;
      }
    },
  };
}

function withStatus({ message, status }: UpstreamError): string {
  return status === 0 || message.includes(String(status)) ? message : `${message} (status ${status})`;
}

function loop(): AppError {
  return new AppError('request_failed', {
    status: 400,
    message: 'this URL leads back to this manager; enter the direct address of the gateway',
  });
}
