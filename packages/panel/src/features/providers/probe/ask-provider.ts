import { type ProbeAnswer, readApiCallAnswer } from '@manager/core/accounts/api-call';
import type { Client } from '../../../platform/api/client.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import type { Kind } from '../../../platform/gateway/providers/kinds.ts';
import { type ApiCall, listedModels } from './probe.ts';

/** The gateway's timeout is 60 s. */
const TIMEOUT_MS = 65_000;

/** Reads names of models; null = there was no list. */
export type ReadModels = () => Promise<readonly string[] | null>;

export interface Answered {
  /** 0 = no answer of the provider. */
  readonly status: number;
  readonly ms: number;
  /** That was asked. */
  readonly host: string;
  /** Whole body, or why there is none. */
  readonly body: string;
}

/** One request of the gateway to a provider, always because a person asked for it. */
export async function askProvider(client: Client, request: ApiCall): Promise<Answered> {
  const startedMs = performance.now();
  const answer = await answerOf(client, request);
  const ms = performance.now() - startedMs;
  const host = URL.canParse(request.url) ? new URL(request.url).host : request.url;
  if (answer.kind === 'answered') return { status: answer.statusCode, ms, host, body: answer.body };
  return { status: 0, ms, host, body: answer.kind === 'transport_error' ? answer.error : answer.body };
}

/** Models that the gateway knows of a kind; null = it has no such list. */
export const knownModels = async (client: Client, { channel }: Kind): ReturnType<ReadModels> =>
  listedModels(JSON.stringify(await client.call<unknown>(`v0/management/model-definitions/${channel}`)));

async function answerOf(client: Client, body: ApiCall): Promise<ProbeAnswer> {
  try {
    const response = await client.open('v0/management/api-call', { method: 'POST', body, timeoutMs: TIMEOUT_MS });
    return readApiCallAnswer(response.status, await response.text());
  } catch (error) {
    return { kind: 'transport_error', error: error instanceof ApiError ? error.message : String(error) };
  }
}
