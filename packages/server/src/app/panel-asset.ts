import { brotliDecompressSync } from 'node:zlib';
import editorBrotli from '../../../panel/dist/code-editor.js.br' with { type: 'file' };
import html from '../../../panel/dist/management.html' with { type: 'file' };
import brotli from '../../../panel/dist/management.html.br' with { type: 'file' };
import gzip from '../../../panel/dist/management.html.gz' with { type: 'file' };
import pagesBrotli from '../../../panel/dist/manager-pages.js.br' with { type: 'file' };
import type { PanelDocument } from '../http/panel-document.ts';
import type { PanelPart } from '../http/panel-part.ts';

/** The built panel, embedded in the executable or next to the sources. */
export async function readPanel(): Promise<PanelDocument> {
  const [document, br, gz] = await Promise.all(
    // The compiler's types know HTML imports only as pages to serve; with `type: 'file'` each is a path.
    [html as unknown as string, brotli, gzip].map(async (path) => new Uint8Array(await Bun.file(path).arrayBuffer())),
  );
  if (!document || !br || !gz) throw new Error('the panel is not built');
  return { html: document, br, gzip: gz };
}

/** The code editor that belongs to this panel; only its compressed form is in the executable. */
export const readCodeEditor = (): Promise<PanelPart> => readPart(editorBrotli);

/** The pages that only a manager has, likewise. */
export const readManagerPages = (): Promise<PanelPart> => readPart(pagesBrotli);

async function readPart(path: string): Promise<PanelPart> {
  const br = new Uint8Array(await Bun.file(path).arrayBuffer());
  return { br, plain: new Uint8Array(brotliDecompressSync(br)) };
}
