import { CONFIGURATION_VERSIONS_PATH } from '@manager/core/contract/constants';
import type {
  ConfigurationVersionKept,
  ConfigurationVersions,
  ConfigurationVersionText,
} from '@manager/core/contract/gateway-configuration';
import type { Client } from '../../platform/api/client.ts';

const PATH = 'v0/management/config.yaml';
/** A configuration of some megabytes over a slow line, ms. */
const TIMEOUT_MS = 60_000;

/** Requests about the gateway's configuration, and about its versions, which the manager keeps. */
export function configurationCalls(client: Client) {
  const text = (content: string) => new Blob([content], { type: 'application/yaml' });
  return {
    read: async (signal?: AbortSignal): Promise<string> => {
      const answer = await client.open(PATH, { signal, timeoutMs: TIMEOUT_MS });
      // `text()` would drop a byte order mark.
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
    },
    write: (content: string) =>
      client.call<unknown>(PATH, { method: 'PUT', body: text(content), timeoutMs: TIMEOUT_MS }),
    versions: (signal?: AbortSignal) => client.call<ConfigurationVersions>(CONFIGURATION_VERSIONS_PATH, { signal }),
    version: (id: number, signal?: AbortSignal) =>
      client.call<ConfigurationVersionText>(`${CONFIGURATION_VERSIONS_PATH}/${id}`, { signal }),
    keep: (content: string, origin: 'seen' | 'saved') =>
      client.call<ConfigurationVersionKept>(`${CONFIGURATION_VERSIONS_PATH}?origin=${origin}`, {
        method: 'POST',
        body: text(content),
        timeoutMs: TIMEOUT_MS,
      }),
    removeVersions: () => client.call<unknown>(CONFIGURATION_VERSIONS_PATH, { method: 'DELETE' }),
  };
}

export type ConfigurationCalls = ReturnType<typeof configurationCalls>;
