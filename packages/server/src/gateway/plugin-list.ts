import { parseJson } from '@manager/core/json/json';
import { endOfSpace } from '@manager/core/json/space';
import type { GatewayConnection } from '../platform/config/config.ts';
import { JsonListCutter } from '../platform/json-list-cutter.ts';
import { scalarMembers } from '../platform/json-members.ts';
import { GatewayError } from './errors.ts';
import { takeElements } from './list-elements.ts';

const FRESH_MS = 60_000;
/** A failed question says nothing about plugins, and every caller without a key can ask it. */
const RETRY_MS = 1000;

const MAX_PLUGINS = 10_000;
const MAX_PLUGIN_BYTES = 256 * 1024;
const REGISTERED: ReadonlySet<string> = new Set(['registered']);
const OPEN_OBJECT = 0x7b;

/**
 * Whether a list of plugins names one that is registered, so that it may have management paths of its own. Nothing else of it is parsed.
 *
 * @throws GatewayError
 */
export function listsPlugin(body: Buffer): boolean {
  const cutter = new JsonListCutter({ maxElementBytes: MAX_PLUGIN_BYTES, listKeys: ['plugins'] });
  let plugins = 0;
  let isRegistered = false;
  if (body[endOfSpace(body, 0)] !== OPEN_OBJECT) {
    // Another list than that of the plugins.
    if (parseJson(body.subarray(0, MAX_PLUGIN_BYTES).toString()) !== undefined) return false;
    throw new GatewayError('protocol', 'the plugin list is not JSON');
  }
  takeElements(cutter, body, ({ bytes, tooLarge }) => {
    plugins += 1;
    if (plugins > MAX_PLUGINS) throw new GatewayError('protocol', 'the plugin list has more than 10,000 entries');
    if (!tooLarge) isRegistered ||= scalarMembers(Buffer.from(bytes), REGISTERED)?.get('registered') === true;
  });
  if (cutter.state === 'open') throw new GatewayError('protocol', 'the plugin list is not JSON');
  return isRegistered;
}

/** Whether the gateway has plugins, asked at most once a minute. */
export interface RegisteredPlugins {
  /** False when the gateway cannot be asked. */
  any(connection: GatewayConnection): Promise<boolean>;
}

export function createRegisteredPlugins(deps: {
  /** @throws GatewayError */
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
