import type { ApiCallRequest, ProbeAnswer } from '@manager/core/accounts/api-call';
import { probeTimeoutMs, retryWaitMs } from '@manager/core/accounts/inspection/attempts';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import type { Zone } from '@manager/core/time/zones';
import type { CredentialClient } from '../../../gateway/accounts/client.ts';

/** What a probe needs. Times in ms. */
export interface ProbeContext {
  readonly client: Pick<CredentialClient, 'probe'>;
  readonly settings: InspectionConfig;
  /** Ends the probe at once. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Rejects once the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** For labels only. */
  readonly zone: Zone;
}

/** One request to a provider. @throws whatever the signal was aborted with */
export function ask(context: ProbeContext, request: ApiCallRequest, limitMs = Infinity): Promise<ProbeAnswer> {
  const timeoutMs = Math.min(probeTimeoutMs(context.settings.timeout), limitMs);
  return context.client.probe(request, { timeoutMs, signal: context.signal });
}

/** Tries until the outcome needs no other try or all tries are used up; never again after the signal. */
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
