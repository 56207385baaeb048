import { CONFIGURATION_VERSIONS_PATH } from '@manager/core/contract/constants';
import type {
  ConfigurationVersionKept,
  ConfigurationVersions,
  ConfigurationVersionText,
} from '@manager/core/contract/gateway-configuration';
import type { Client } from '../../platform/api/client.ts';
import { ApiError } from '../../platform/api/errors.ts';

const PATH = 'v0/management/config.yaml';
/** A configuration of some megabytes over a slow line, ms. */
const TIMEOUT_MS = 60_000;

/**
 * The configuration in an answer.
 *
 * @throws ApiError `shape` for a page, which something in between answers, and for bytes that are no UTF-8: they would be saved as other
 * characters.
 */
export async function readText(answer: Response, atMs: number): Promise<string> {
  const refuse = (message: string) => new ApiError('shape', message, { path: PATH, atMs, status: answer.status });
  if (/\bhtml\b/i.test(answer.headers.get('content-type') ?? '')) throw refuse('an HTML page, not a configuration');
  const bytes = await answer.arrayBuffer();
  try {
    // `text()` would drop a byte order mark.
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    throw refuse('the file is not UTF-8: correct it at the gateway');
  }
}

/** Requests about the gateway's configuration, and about its versions, which the manager keeps. */
export function configurationCalls(client: Client) {
  const text = (content: string) => new Blob([content], { type: 'application/yaml' });
  return {
    read: async (signal?: AbortSignal): Promise<string> => {
      return readText(await client.open(PATH, { signal, timeoutMs: TIMEOUT_MS }), client.now());
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
