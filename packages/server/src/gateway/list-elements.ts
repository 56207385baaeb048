import type { JsonListCutter, ListElement } from '../platform/json-list-cutter.ts';
import { GatewayError } from './errors.ts';

/** Takes the next bytes of a list in an answer. */
export function takeElements(cutter: JsonListCutter, chunk: Uint8Array, use: (element: ListElement) => void): void {
  for (let at = 0; at < chunk.length && cutter.state === 'open'; ) {
    at = cutter.take(chunk, at);
    if (cutter.element !== null) use(cutter.element);
  }
}

/** @throws GatewayError when the answer held no list or ended before its end */
export function requireListEnd({ state }: JsonListCutter): void {
  if (state === 'open') throw new GatewayError('closed', 'the response was cut off');
  if (state === 'no list') throw new GatewayError('protocol', 'the response contains no list');
  if (state !== 'ended') throw new GatewayError('protocol', 'the response is not a JSON list');
}
