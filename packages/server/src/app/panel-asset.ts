import editorBrotli from '../../../panel/dist/code-editor.js.br' with { type: 'file' };
import pagesBrotli from '../../../panel/dist/manager-pages.js.br' with { type: 'file' };
import html from '../../../panel/dist/page.html' with { type: 'file' };
import brotli from '../../../panel/dist/page.html.br' with { type: 'file' };
import gzip from '../../../panel/dist/page.html.gz' with { type: 'file' };
import scriptBrotli from '../../../panel/dist/panel.js.br' with { type: 'file' };
import scriptGzip from '../../../panel/dist/panel.js.gz' with { type: 'file' };
import type { PanelDocument } from '../http/panel-document.ts';
import type { PanelPart } from '../http/panel-part.ts';

const read = async (path: string) => new Uint8Array(await Bun.file(path).arrayBuffer());

/** The page of the built panel, embedded in the executable or next to the sources. */
export async function readPanel(): Promise<PanelDocument> {
  const [document, br, gz] = await Promise.all(
    // The compiler's types know HTML imports only as pages to serve; with `type: 'file'` each is a path.
    [html as unknown as string, brotli, gzip].map(read),
  );
  if (!document || !br || !gz) throw new Error('the panel is not built');
  return { html: document, br, gzip: gz };
}

/** Its script. */
export async function readPanelScript(): Promise<PanelPart> {
  return { br: await read(scriptBrotli), gzip: await read(scriptGzip) };
}

/** The code editor that belongs to this panel. */
export const readCodeEditor = async (): Promise<PanelPart> => ({ br: await read(editorBrotli) });

/** The pages that only a manager has. */
export const readManagerPages = async (): Promise<PanelPart> => ({ br: await read(pagesBrotli) });
