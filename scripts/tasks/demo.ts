import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backfillEvents, publishHistory, startDemoTraffic, startSimulator } from '@manager/simulator';
import { openInBrowser } from '../lib/browser.ts';
import { buildPanel } from '../lib/build.ts';
import { PANEL_FILE, ROOT } from '../lib/project.ts';

// `npm run demo`: the real server on an empty database in a temporary folder, bound to a simulated gateway with traffic.
const DEFAULT_PORT = 18317;
const HISTORY_MS = 24 * 3_600_000;
const ADMIN_KEY = 'demo';
const UPSTREAM_KEY = 'demo-gateway-key';

buildPanel();
const listenAddress = await chooseAddress();
const dataDir = mkdtempSync(join(tmpdir(), 'manager-demo-'));
const simulator = await startSimulator({ managementKey: UPSTREAM_KEY, retentionSeconds: 3600, panelFile: PANEL_FILE });
const server = Bun.spawn([process.execPath, join(ROOT, 'packages/server/src/main.ts')], {
  cwd: dataDir,
  env: {
    ...process.env,
    MANAGER_DEMO: '1',
    MANAGER_ADMIN_KEY: ADMIN_KEY,
    HTTP_ADDR: listenAddress,
    USAGE_DATA_DIR: dataDir,
    UPSTREAM_URL: simulator.url,
    UPSTREAM_MANAGEMENT_KEY: UPSTREAM_KEY,
  },
  stdin: 'ignore',
  stdout: 'pipe',
  stderr: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill('SIGTERM'));
void announce(server.stdout);

const now = Date.now();
publishHistory(simulator, backfillEvents({ fromMs: now - HISTORY_MS, toMs: now, scale: 0.2 }));
const traffic = startDemoTraffic(simulator, { now: Date.now, random: Math.random });

const code = await server.exited;
traffic.stop();
await simulator.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit(code);

/** Shows the address once it is known, and from then on only what goes wrong. */
async function announce(output: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let shown = false;
  for await (const chunk of output) {
    const text = decoder.decode(chunk, { stream: true });
    const url = /listening on (http:\S+?)\/?"/.exec(text)?.[1];
    if (url && !shown) {
      shown = true;
      const page = `${url}/management.html`;
      console.log(
        `\n  Panel:      ${page}\n  Admin key:  ${ADMIN_KEY}\n\n  Without manager:  ${simulator.url}/management.html\n  Management key:   ${UPSTREAM_KEY}\n\n  A simulated gateway sends requests. Ctrl-C ends the demo; nothing is kept.\n`,
      );
      openInBrowser(page);
    }
    for (const line of text.split('\n')) if (/"level":"(warn|error|fatal)"/.test(line)) console.error(line);
  }
}

/** The configured address, which must be free; without one the default, or any free port where that is taken. */
async function chooseAddress(): Promise<string> {
  const configured = process.env.HTTP_ADDR?.trim() ?? '';
  if (configured !== '') return configured;
  if (await isFree(DEFAULT_PORT)) return `127.0.0.1:${DEFAULT_PORT}`;
  console.log(`\n  Port ${DEFAULT_PORT} is in use: the demo takes another one, see below. HTTP_ADDR chooses it.`);
  return '127.0.0.1:0';
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
