import type { ApiCallRequest, ProbeAnswer } from '@manager/core/accounts/api-call';
import { probeTimeoutMs, retryWaitMs } from '@manager/core/accounts/inspection/attempts';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import type { Zone } from '@manager/core/time/zones';
import type { AccountClient } from '../../../gateway/accounts/client.ts';

/** Dependencies of a probe. Times in ms. */
export interface ProbeContext {
  readonly client: Pick<AccountClient, 'probe'>;
  readonly settings: InspectionConfig;
  /** Ends the probe at once. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Rejects on abort. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** For labels only. */
  readonly zone: Zone;
}

/** One request to a provider. @throws the reason of the abort */
export function ask(context: ProbeContext, request: ApiCallRequest, limitMs = Infinity): Promise<ProbeAnswer> {
  const timeoutMs = Math.min(probeTimeoutMs(context.settings.timeout), limitMs);
  return context.client.probe(request, { timeoutMs, signal: context.signal });
}

/** Retries until the outcome needs no retry or all tries are used; never after an abort. */
export async function withRetries<Outcome>(
  { settings, signal, random, wait }: ProbeContext,
  attempt: () => Promise<Outcome>,
  needsAnother: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    signal.throwIfAborted();
    if (tries > settings.retries || !needsAnother(outcome)) return outcome;
    await wait(retryWaitMs(tries, random()), signal);
    signal.throwIfAborted();
  }
}
