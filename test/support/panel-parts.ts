import { join } from 'node:path';
import type { BunPlugin } from 'bun';

const SCENES = join(import.meta.dir, '../../packages/panel/src/ui/testing/parts.tsx');

export interface PartsServer {
  /** Address of a scene. */
  readonly url: (scene: string) => string;
  stop(): void;
}

/** Workers are built by the panel's own bundler; no scene starts one. */
const withoutWorkers: BunPlugin = {
  name: 'without-workers',
  setup: (build) => {
    build.onResolve({ filter: /\?worker/ }, ({ path }) => ({ path, namespace: 'no-worker' }));
    build.onLoad({ filter: /.*/, namespace: 'no-worker' }, () => ({
      contents: 'export default class {}',
      loader: 'js',
    }));
  },
};

/** Serves scenes of the panel's shared parts that no page of the product shows in this form. */
export async function servePanelParts(): Promise<PartsServer> {
  const built = await Bun.build({
    entrypoints: [SCENES],
    target: 'browser',
    plugins: [withoutWorkers],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const files = new Map<string, { readonly body: string; readonly type: string }>();
  for (const output of built.outputs) {
    const css = output.path.endsWith('.css');
    files.set(css ? '/parts.css' : '/parts.js', {
      body: await output.text(),
      type: css ? 'text/css' : 'text/javascript',
    });
  }
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Parts</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/parts.css"></head><body><div id="root"></div><script type="module" src="/parts.js"></script></body></html>`;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const file = files.get(new URL(request.url).pathname) ?? { body: page, type: 'text/html' };
      return new Response(file.body, { headers: { 'content-type': `${file.type};charset=utf-8` } });
    },
  });
  return {
    url: (scene) => `http://127.0.0.1:${server.port}/?scene=${scene}`,
    stop: () => void server.stop(true),
  };
}
