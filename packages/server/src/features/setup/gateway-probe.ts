import { addressOf } from '../../gateway/address.ts';
import { dial } from '../../gateway/dial.ts';
import { transportError } from '../../gateway/errors.ts';
import { explainFailure } from '../../gateway/port-protocol.ts';
import { askAddress, type ProbeAnswer, type ProbedAddress } from './keyless-request.ts';

const DIAL_TIMEOUT_MS = 10_000;
const MODELS = '/v1/models';
/** Answers of the model API, with or without a client key. */
const MODEL_STATUS: ReadonlySet<number> = new Set([200, 401, 403]);

/** What an address reveals without the management key, and without a request that the gateway counts. */
export interface GatewayTraits {
  /** It answers as a gateway does. */
  readonly isGateway: boolean;
  /** It refuses every request of a client, because the example client keys of its template are still set. */
  readonly hasTemplateKeys: boolean;
}

export interface GatewayProbe {
  /** @throws GatewayError when nothing answers, or nothing that speaks HTTP */
  traits(target: ProbedAddress): Promise<GatewayTraits>;
  /** Whether a key that is no management key opens the model API. Any error means no. */
  isClientKey(target: ProbedAddress, key: string): Promise<boolean>;
}

/** @param headers sent with every request; they show a request that leads back to its sender */
export function createGatewayProbe(headers: Readonly<Record<string, string>>): GatewayProbe {
  const ask: typeof askAddress = (target, path, options = {}) =>
    askAddress(target, path, { ...options, headers: { ...headers, ...options.headers } });

  async function isKnownElsewhere(target: ProbedAddress): Promise<boolean> {
    const home = await ask(target, '/');
    if (home.status === 200 && Array.isArray(home.json?.endpoints)) return true;
    // Only a request for the answer's headers: it is answered before any key is checked.
    const allowed = await ask(target, '/v0/management/config', { method: 'OPTIONS' });
    return /\bx-cpa-/i.test(allowed.headers.get('access-control-expose-headers') ?? '');
  }

  return {
    async traits(target) {
      const address = addressOf(target.baseUrl);
      try {
        const socket = await dial(address, { timeoutMs: DIAL_TIMEOUT_MS, tlsSkipVerify: target.tlsSkipVerify });
        socket.on('error', () => {});
        socket.destroy();
        const models = await ask(target, MODELS);
        return {
          isGateway: isModelApi(models) || (await isKnownElsewhere(target)),
          hasTemplateKeys: models.status === 403 && models.headers.has('x-cpa-safe-mode'),
        };
      } catch (error) {
        throw await explainFailure(address, transportError(error));
      }
    },
    async isClientKey(target, key) {
      try {
        if ((await ask(target, MODELS)).status !== 401) return false;
        const answer = await ask(target, MODELS, { headers: { Authorization: `Bearer ${key}` } });
        return answer.status === 200;
      } catch {
        return false;
      }
    },
  };
}

function isModelApi({ status, headers, json }: ProbeAnswer): boolean {
  if (headers.has('x-cpa-safe-mode')) return true;
  return MODEL_STATUS.has(status) && json !== null && ('data' in json || 'models' in json || 'error' in json);
}
