import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import type { PriceSource } from '../sources.ts';

/** The answer of a catalogue server: a value as JSON, a whole answer, or a function of the request. */
export type Answer = object | Response | ((request: Request) => Response | Promise<Response>);

/** A real HTTP server with the three catalogues. */
export interface CatalogueServer {
  readonly sources: readonly PriceSource[];
  readonly url: string;
  /** Requested paths, in order. */
  readonly asked: string[];
  /** `If-None-Match` of each. */
  readonly validators: (string | null)[];
  answer(source: string, answer: Answer): void;
  stop(): Promise<void>;
}

export const UNAVAILABLE = () => new Response('not now', { status: 503 });

export function startCatalogues(answers: Readonly<Record<string, Answer>> = {}): CatalogueServer {
  const current = new Map<string, Answer>(Object.entries(answers));
  const asked: string[] = [];
  const validators: (string | null)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const source = new URL(request.url).pathname.slice(1);
      asked.push(source);
      validators.push(request.headers.get('if-none-match'));
      const answer = current.get(source) ?? UNAVAILABLE;
      if (typeof answer === 'function') return answer(request);
      return answer instanceof Response ? answer.clone() : Response.json(answer);
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const source = (name: PriceSource['source'], revalidate: boolean): PriceSource => ({
    source: name,
    url: `${url}/${name}`,
    revalidate,
  });
  return {
    sources: [source('models.dev', true), source('litellm', false), source('openrouter', false)],
    url,
    asked,
    validators,
    answer: (name, answer) => void current.set(name, answer),
    stop: () => server.stop(true),
  };
}

/** `cost` by provider and model, with the ids of the makers' own models. */
export function modelsDev(models: Readonly<Record<string, object>>): object {
  const providers: Record<string, { models: Record<string, object> }> = {};
  for (const [id, cost] of Object.entries(models)) {
    const slash = id.indexOf('/');
    const provider = providers[id.slice(0, slash)] ?? { models: {} };
    provider.models[id.slice(slash + 1)] = { cost };
    providers[id.slice(0, slash)] = provider;
  }
  return { providers, models: Object.fromEntries(Object.keys(models).map((id) => [id, {}])) };
}

/** Prompt prices per million tokens. */
export function litellm(models: Readonly<Record<string, number>>): object {
  return Object.fromEntries(Object.entries(models).map(([id, price]) => [id, { input_cost_per_token: `${price}e-6` }]));
}

export function openRouter(models: Readonly<Record<string, string>>): object {
  return { data: Object.entries(models).map(([id, prompt]) => ({ id, pricing: { prompt } })) };
}

export interface SocksServer {
  readonly port: number;
  /** Requested addresses. */
  readonly targets: string[];
  stop(): Promise<void>;
}

/** A SOCKS5 proxy that connects to the requested port on the loopback address. */
export async function startSocks(
  login: { readonly user: string; readonly password: string } | null,
): Promise<SocksServer> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => client.destroy());
    serveSocks(client, login, targets).catch(() => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    targets,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function serveSocks(
  client: Socket,
  login: { readonly user: string; readonly password: string } | null,
  targets: string[],
): Promise<void> {
  const reader = new ByteReader(client);
  const [, count = 0] = await reader.take(2);
  await reader.take(count);
  client.write(Uint8Array.of(5, login === null ? 0 : 2));
  if (login !== null) {
    await reader.take(1);
    const user = await reader.text();
    const password = await reader.text();
    const accepted = user === login.user && password === login.password;
    client.write(Uint8Array.of(1, accepted ? 0 : 1));
    if (!accepted) return void client.end();
  }
  const [, , , kind = 0] = await reader.take(4);
  const host = kind === 1 ? (await reader.take(4)).join('.') : await reader.text();
  const [high = 0, low = 0] = await reader.take(2);
  const port = high * 256 + low;
  targets.push(`${host}:${port}`);
  const target = connectTcp(port, '127.0.0.1', () => {
    // The answer in chunks, and with a name as the bound address.
    client.write(Uint8Array.of(5, 0, 0));
    client.write(Uint8Array.of(3, 2, 97, 98, 0, 80));
    reader.release();
    client.pipe(target);
    target.pipe(client);
  });
  const refuse = () => client.end(Uint8Array.of(5, 5, 0, 1, 0, 0, 0, 0, 0, 0));
  target.on('error', refuse);
  target.on('connect', () => target.off('error', refuse).on('error', () => client.destroy()));
}

class ByteReader {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #wake = () => {};
  readonly #onData = (data: Buffer) => {
    this.#received = Buffer.concat([this.#received, data]);
    this.#wake();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#onData);
  }

  async take(count: number): Promise<Uint8Array> {
    while (this.#received.length < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const bytes = this.#received.subarray(0, count);
    this.#received = this.#received.subarray(count);
    return bytes;
  }

  async text(): Promise<string> {
    const [length = 0] = await this.take(1);
    return new TextDecoder().decode(await this.take(length));
  }

  release(): void {
    this.#socket.off('data', this.#onData);
    if (this.#received.length > 0) this.#socket.unshift(this.#received);
  }
}
