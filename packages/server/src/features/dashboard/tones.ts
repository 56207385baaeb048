import type { HealthPoint, HealthTone } from '@manager/core/contract/dashboard';
import { ratio } from '../../facts/ratios.ts';

interface Calls {
  readonly calls: number;
  readonly failures: number;
}

/** @param isFuture whether the point starts after now */
export function pointTone({ calls, failures }: Calls, isFuture: boolean): HealthPoint['tone'] {
  if (isFuture) return 'future';
  if (calls === 0) return 'empty';
  const failureRate = ratio(failures, calls);
  if (failureRate >= 0.1) return 'bad';
  return failureRate > 0 ? 'warn' : 'good';
}

/** An account with a lower success rate fails often. */
export const BAD_SUCCESS_BELOW = 0.85;

/** @param averageLatencyMs null = unknown, which is no problem */
export function channelTone({ calls, failures }: Calls, averageLatencyMs: number | null): HealthTone {
  const successRate = ratio(calls - failures, calls);
  const latencyMs = averageLatencyMs ?? 0;
  if (successRate < BAD_SUCCESS_BELOW || failures >= 5 || latencyMs >= 30_000) return 'bad';
  if (successRate < 0.95 || failures > 0 || latencyMs >= 15_000) return 'warn';
  return 'good';
}

export function failureTone({ calls, failures }: Calls): 'warn' | 'bad' {
  return ratio(failures, calls) >= 0.5 || failures >= 5 ? 'bad' : 'warn';
}
