import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type PanelEncoding = 'br' | 'gzip';

/** The page of the panel in the executable, also compressed. */
export interface PanelDocument {
  readonly html: Uint8Array<ArrayBuffer>;
  readonly br: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
}

/** Compresses the panel with the highest level; takes seconds, so the build does it. */
export async function compressPanel(html: Uint8Array<ArrayBuffer>): Promise<PanelDocument> {
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(html, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: html.byteLength,
      },
    }),
    promisify(gzip)(html, { level: 9 }),
  ]);
  return { html, br: new Uint8Array(br), gzip: new Uint8Array(gzipped) };
}

/** Quoted hex of the first 16 bytes of the SHA-256 of the document. */
export function panelEtag(html: Uint8Array): string {
  return `"${createHash('sha256').update(html).digest('hex').slice(0, 32)}"`;
}

/**
 * Policy that allows exactly the inline scripts of this document (and the packs it unfolds into blobs), and files of this server
 * where it names one. It sends requests to this manager alone; the policy in the file itself is wider, because a gateway serves it too.
 */
export function panelContentSecurityPolicy(html: string): string {
  const { inline, hasFile } = scriptsOf(html);
  const hashes = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    ['script-src', ...(hasFile ? ["'self'"] : []), ...new Set(hashes), 'blob:'].join(' '),
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    OWN_REQUESTS,
    "frame-src 'self'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'self'",
    FRAME_ANCESTORS,
  ].join('; ');
}

const OWN_REQUESTS = "connect-src 'self'";
const FRAME_ANCESTORS = "frame-ancestors 'self'";

/** For a panel file of the operator, whose scripts are not restricted. */
export const CUSTOM_PANEL_POLICY = `${OWN_REQUESTS}; ${FRAME_ANCESTORS}`;

/** The inline scripts as a browser hashes them, with the line ends of the parsed document, and whether others have an address. */
function scriptsOf(html: string): { readonly inline: readonly string[]; readonly hasFile: boolean } {
  const inline: string[] = [];
  let hasFile = false;
  // Comments and styles are skipped, because they may contain the text `<script>`.
  const token = /<!--[\s\S]*?-->|<style\b[^>]*>[\s\S]*?<\/style|<script\b([^>]*)>([\s\S]*?)<\/script/gi;
  for (const [, attributes, text] of html.matchAll(token)) {
    if (/\ssrc\s*=/i.test(attributes ?? '')) hasFile = true;
    else if (text !== undefined && text !== '') inline.push(text.replace(/\r\n?/g, '\n'));
  }
  return { inline, hasFile };
}
