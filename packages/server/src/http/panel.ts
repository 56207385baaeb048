import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { AppError } from '@manager/core/contract/errors';
import { chooseEncoding } from './accept-encoding.ts';
import type { RawHandler } from './areas.ts';
import { notModified, rangeApplies, type Validators } from './conditional.ts';
import type { Log } from './log.ts';
import {
  CUSTOM_PANEL_POLICY,
  type PanelDocument,
  type PanelEncoding,
  panelContentSecurityPolicy,
  panelEtag,
} from './panel-document.ts';
import { parseRange } from './range.ts';

export interface PanelDeps {
  /** null in a build without a panel. */
  readonly embedded: PanelDocument | null;
  /** File that replaces the embedded panel, '' = none. */
  readonly panelPath: string;
  readonly log: Log;
  /** Somebody opens the panel. */
  readonly onOpen: () => void;
}

interface Representation {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly validators: Validators;
  readonly headers: Readonly<Record<string, string>>;
}

/** A panel is one HTML file of a few megabytes; a far larger file is a mistake and not read into memory. */
const MAX_CUSTOM_BYTES = 64 * 1024 * 1024;
const ENCODINGS: readonly PanelEncoding[] = ['br', 'gzip'];

/** Serves `GET` and `HEAD /management.html`. */
export function createPanelHandler(deps: PanelDeps): RawHandler {
  const embedded = deps.embedded === null ? null : embeddedRepresentations(deps.embedded);
  let warned = false;

  async function custom(): Promise<Representation | null> {
    if (deps.panelPath === '') return null;
    try {
      const found = await readCustom(deps.panelPath);
      warned = false;
      return found;
    } catch (error) {
      if (!warned) deps.log.warn({ err: error }, 'PANEL_PATH cannot be read; the embedded panel is served instead');
      warned = true;
      return null;
    }
  }

  return async (request) => {
    const chosen = (await custom()) ?? embedded?.(request.headers);
    if (chosen === undefined) throw new AppError('panel_missing');
    if (request.method === 'GET') deps.onOpen();
    return answer(request, chosen);
  };
}

function embeddedRepresentations(document: PanelDocument): (request: Headers) => Representation {
  const etag = panelEtag(document.html);
  const policy = panelContentSecurityPolicy(new TextDecoder().decode(document.html));
  const represent = (encoding: PanelEncoding | null): Representation => ({
    bytes: encoding === null ? document.html : document[encoding],
    validators: { etag: encoding === null ? etag : `${etag.slice(0, -1)}-${encoding}"` },
    headers: {
      'Content-Security-Policy': policy,
      Vary: 'Accept-Encoding',
      ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
    },
  });
  const plain = represent(null);
  const encoded = { br: represent('br'), gzip: represent('gzip') };
  return (request) => {
    // Ranges refer to the document itself: a part of a compressed form is useless.
    const encoding = request.has('range') ? null : chooseEncoding(request.get('accept-encoding'), ENCODINGS);
    return encoding === null ? plain : encoded[encoding];
  };
}

/** Opened for every request, so that replacing the file needs no restart. */
async function readCustom(path: string): Promise<Representation> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error('not a regular file');
    if (stat.size > MAX_CUSTOM_BYTES) throw new Error('larger than 64 MiB');
    const lastModifiedMs = Math.floor(stat.mtimeMs / 1000) * 1000;
    return {
      bytes: new Uint8Array(await file.readFile()),
      validators: { lastModifiedMs },
      headers: {
        'Content-Security-Policy': CUSTOM_PANEL_POLICY,
        'Last-Modified': new Date(lastModifiedMs).toUTCString(),
      },
    };
  } finally {
    await file.close();
  }
}

function answer(request: Request, { bytes, validators, headers }: Representation): Response {
  const common = {
    ...headers,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    // A page that opened this one, or that it opens, gets no handle to it.
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(validators.etag === undefined ? {} : { ETag: validators.etag }),
  };
  if (notModified(request.headers, validators)) return new Response(null, { status: 304, headers: common });

  const document = { ...common, 'Content-Type': 'text/html; charset=utf-8', 'Accept-Ranges': 'bytes' };
  // A range is defined for GET only (RFC 9110 §14.2).
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...document, 'Content-Length': String(bytes.byteLength) } });
  const range = rangeApplies(request.headers, validators)
    ? parseRange(request.headers.get('range'), bytes.byteLength)
    : null;
  if (range === null)
    return new Response(bytes, { headers: { ...document, 'Content-Length': String(bytes.byteLength) } });
  if (range === 'unsatisfiable')
    throw new AppError('range_not_satisfiable', {
      headers: { 'Content-Range': `bytes */${bytes.byteLength}` },
    });
  const part = bytes.subarray(range.first, range.last + 1);
  return new Response(part, {
    status: 206,
    headers: {
      ...document,
      'Content-Length': String(part.byteLength),
      'Content-Range': `bytes ${range.first}-${range.last}/${bytes.byteLength}`,
    },
  });
}
