import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backfillEvents, publishHistory, type Simulator, startDemoTraffic, startSimulator } from '@manager/simulator';
import { PANEL_FILE, ROOT } from './project.ts';

const DEFAULT_PORT = 18317;
const HISTORY_MS = 24 * 3_600_000;
export const ADMIN_KEY = 'demo-manager-of-this-clone';
export const MANAGEMENT_KEY = 'demo-gateway-key';

export interface DemoSite {
  readonly simulator: Simulator;
  /** Resolves to the manager's address. */
  readonly managerUrl: Promise<string>;
  /** Resolves to the manager's exit code once everything is stopped and removed. */
  readonly ended: Promise<number>;
  stop(): void;
}

/** The real server on an empty database in a temporary folder, attached to a simulated gateway with traffic. */
export async function startDemoSite(): Promise<DemoSite> {
  const listenAddress = await chooseAddress();
  const dataDir = mkdtempSync(join(tmpdir(), 'manager-demo-'));
  const simulator = await startSimulator({
    managementKey: MANAGEMENT_KEY,
    retentionSeconds: 3600,
    panelFile: PANEL_FILE,
  });
  const server = Bun.spawn([process.execPath, join(ROOT, 'packages/server/src/main.ts')], {
    cwd: dataDir,
    env: {
      ...process.env,
      MANAGER_DEMO: '1',
      MANAGER_ADMIN_KEY: ADMIN_KEY,
      HTTP_ADDR: listenAddress,
      USAGE_DATA_DIR: dataDir,
      UPSTREAM_URL: simulator.url,
      UPSTREAM_MANAGEMENT_KEY: MANAGEMENT_KEY,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const stop = () => server.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const managerUrl = readAddress(server.stdout);

  const now = Date.now();
  publishHistory(simulator, backfillEvents({ fromMs: now - HISTORY_MS, toMs: now, scale: 0.2 }));
  const traffic = startDemoTraffic(simulator, { now: Date.now, random: Math.random });

  async function end(): Promise<number> {
    const code = await server.exited;
    traffic.stop();
    await simulator.stop();
    rmSync(dataDir, { recursive: true, force: true });
    return code;
  }
  return { simulator, managerUrl, ended: end(), stop };
}

/** Finds the address in the log; afterwards shows only warnings and errors. */
function readAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  return new Promise((resolve) => {
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of output) {
        const text = decoder.decode(chunk, { stream: true });
        const url = /listening on (http:\S+?)\/?"/.exec(text)?.[1];
        if (url !== undefined) resolve(url);
        for (const line of text.split('\n')) if (/"level":"(warn|error|fatal)"/.test(line)) console.error(line);
      }
    })();
  });
}

/** The configured address, which must be free; otherwise the default port, or any free port where that is taken. */
async function chooseAddress(): Promise<string> {
  const configured = process.env.HTTP_ADDR?.trim() ?? '';
  if (configured !== '') return configured;
  if (await isFree(DEFAULT_PORT)) return `127.0.0.1:${DEFAULT_PORT}`;
  console.log(`\n  Port ${DEFAULT_PORT} is in use; another one is taken. HTTP_ADDR chooses it.`);
  return '127.0.0.1:0';
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
