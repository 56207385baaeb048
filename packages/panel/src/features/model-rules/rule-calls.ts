import { listAt } from '../../platform/api/answer-list.ts';
import type { Client } from '../../platform/api/client.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { isRecord } from '../../platform/browser/storage.ts';
import type { EditableList } from '../../platform/gateway/list-edits.ts';
import type { ChannelRules, RuleKind, RuleMap } from './model/rules.ts';

interface Endpoint {
  readonly name: string;
  /** Name of the provider in a change. */
  readonly key: string;
  /** Name of the rules in a change. */
  readonly value: string;
}

const ENDPOINTS: Readonly<Record<RuleKind, Endpoint>> = {
  excluded: { name: 'oauth-excluded-models', key: 'provider', value: 'models' },
  alias: { name: 'oauth-model-alias', key: 'channel', value: 'aliases' },
  errors: { name: 'oauth-request-scoped-errors', key: 'channel', value: 'rules' },
};

/** @throws ApiError for anything but a map: edited and written back, it would be an empty one */
export async function readRules(client: Client, kind: RuleKind, signal?: AbortSignal): Promise<RuleMap> {
  const { name } = ENDPOINTS[kind];
  const body = await client.call<unknown>(`v0/management/${name}`, { signal });
  const map: unknown = isRecord(body) ? body[name] : undefined;
  if (map === null) return new Map();
  const isMap = isRecord(map) && Object.values(map).every((rules) => rules === null || Array.isArray(rules));
  if (!isMap) throw new ApiError('shape', 'the response is not a map', { path: name, atMs: client.now() });
  return new Map(Object.entries(map).flatMap(([channel, rules]) => (Array.isArray(rules) ? [[channel, rules]] : [])));
}

/** The rules of one provider as a list of one entry: the gateway changes each provider alone. */
export function rulesOf(client: Client, kind: RuleKind, channel: string): EditableList<ChannelRules> {
  const { name, key, value } = ENDPOINTS[kind];
  const path = `v0/management/${name}`;
  return {
    name,
    read: async () => [{ channel, rules: (await readRules(client, kind)).get(channel) ?? [] }],
    write: (_, { after }) =>
      after === null || after.rules.length === 0
        ? client.call<unknown>(`${path}?${key}=${encodeURIComponent(channel)}`, { method: 'DELETE' })
        : client.call<unknown>(path, { method: 'PATCH', body: { [key]: channel, [value]: after.rules } }),
    identity: (entry) => entry.channel,
  };
}

/**
 * Names of the models the gateway knows of a channel. Those of plugins are in no catalog: there, the models of one of its
 * accounts, by its file.
 */
export async function knownModels(
  client: Pick<Client, 'call' | 'now'>,
  channel: string,
  file: string | undefined,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const read = async (path: string) => {
    const models = await listAt(client, `v0/management/${path}`, 'models', { signal });
    return models.flatMap((model) => (isRecord(model) && typeof model.id === 'string' ? [model.id] : []));
  };
  try {
    return await read(`model-definitions/${encodeURIComponent(channel)}`);
  } catch (error) {
    const isUnknown = error instanceof ApiError && (error.status === 400 || error.status === 404);
    if (!isUnknown || file === undefined) throw error;
    return read(`auth-files/models?name=${encodeURIComponent(file)}`);
  }
}
