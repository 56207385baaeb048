import type { JsonObject } from '../json/json.ts';
import { readText } from '../json/readers.ts';
import type { UsageEvent } from './event.ts';

export type Endpoint = Pick<UsageEvent, 'endpoint' | 'method' | 'path'>;

const METHOD_AND_PATH = /^(GET|POST|PUT|PATCH|DELETE|OPTIONS|HEAD)\s+(\S+)/;

/**
 * Fills an empty method and path from an endpoint such as `POST /v1/responses`, and writes `-` for a missing endpoint.
 */
export function completeEndpoint(endpoint: string, method: string, path: string): Endpoint {
  if (endpoint === '') return { endpoint: method !== '' && path !== '' ? `${method} ${path}` : '-', method, path };
  if (method !== '' && path !== '') return { endpoint, method, path };
  const [, foundMethod = '', foundPath = ''] = METHOD_AND_PATH.exec(endpoint) ?? [];
  return { endpoint, method: method || foundMethod, path: path || foundPath };
}

export function readEndpoint(item: JsonObject): Endpoint {
  return completeEndpoint(
    readText(item, ['endpoint', 'api', 'request', 'operation']),
    readText(item, ['method', 'http_method', 'httpMethod']).toUpperCase(),
    readText(item, ['path', 'url_path', 'urlPath', 'route']),
  );
}
