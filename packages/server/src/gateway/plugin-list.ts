import type { GatewayConnection } from '../platform/config/config.ts';
import { GatewayError } from './errors.ts';

const FRESH_MS = 60_000;
/** A failed question says nothing about plugins, and every caller without a key can ask it. */
const RETRY_MS = 1000;

/**
 * Whether a list of plugins names one that is registered, so that it may have management paths of its own.
 *
 * @throws UpstreamError
 */
export function listsPlugin(body: Uint8Array): boolean {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new GatewayError('protocol', 'the plugin list is not JSON', { cause });
  }
  const list = isRecord(value) ? value.plugins : null;
  return Array.isArray(list) && list.some((plugin) => isRecord(plugin) && plugin.registered === true);
}

/** Whether the gateway has plugins, asked at most once a minute. */
export interface RegisteredPlugins {
  /** False when the gateway cannot be asked. */
  any(connection: GatewayConnection): Promise<boolean>;
}

export function createRegisteredPlugins(deps: {
  /** @throws UpstreamError */
  readonly ask: (connection: GatewayConnection) => Promise<boolean>;
  readonly now: () => number;
}): RegisteredPlugins {
  let known: { readonly of: string; readonly answer: Promise<boolean>; freshUntilMs: number } | null = null;

  return {
    any(connection) {
      const of = JSON.stringify([connection.baseUrl, connection.managementKey]);
      if (known !== null && known.of === of && deps.now() < known.freshUntilMs) return known.answer;
      const asked = {
        of,
        answer: deps.ask(connection).then(
          (has) => {
            asked.freshUntilMs = deps.now() + FRESH_MS;
            return has;
          },
          () => {
            asked.freshUntilMs = deps.now() + RETRY_MS;
            return false;
          },
        ),
        // Callers that come meanwhile share the question.
        freshUntilMs: Number.POSITIVE_INFINITY,
      };
      known = asked;
      return asked.answer;
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
