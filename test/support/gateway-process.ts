import { join } from 'node:path';
import { callSimulator, type Deliveries, type MakeEventsOptions } from '@manager/simulator';
import { TEST_UPSTREAM_KEY } from './test-gateway.ts';

const SIMULATOR = join(import.meta.dir, '..', '..', 'packages/simulator/src/cli.ts');

/** A gateway as its own process, so that a busy test does not delay what the gateway sends. */
export class GatewayProcess {
  readonly #process: Bun.Subprocess<'ignore', 'pipe', 'ignore'>;

  private constructor(
    process: Bun.Subprocess<'ignore', 'pipe', 'ignore'>,
    readonly url: string,
    readonly controlUrl: string,
  ) {
    this.#process = process;
  }

  static async start(): Promise<GatewayProcess> {
    const options = { port: 0, 'control-port': 0, rate: 0, 'auth-files': 12, key: TEST_UPSTREAM_KEY };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = Bun.spawn([process.execPath, SIMULATOR, ...args], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    });
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of child.stdout) {
      text += decoder.decode(bytes, { stream: true });
      if (text.includes('\n')) break;
    }
    const { url, controlUrl } = JSON.parse(text) as { url: string; controlUrl: string };
    return new GatewayProcess(child, url, controlUrl);
  }

  /** Sends events at a steady rate until `stop`, which returns their number. */
  async startTraffic(rate: number, events: MakeEventsOptions): Promise<{ stop(): Promise<number> }> {
    const id = await callSimulator(this.controlUrl, 'startTraffic', { rate, events });
    return { stop: async () => Number(await callSimulator(this.controlUrl, 'stopTraffic', id)) };
  }

  async deliveries(): Promise<Deliveries> {
    return (await callSimulator(this.controlUrl, 'deliveries')) as Deliveries;
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.#process.exited;
  }
}
