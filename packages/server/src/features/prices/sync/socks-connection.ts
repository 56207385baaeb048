import { isIPv4, type Socket } from 'node:net';
import type { GatewayAddress } from '../../../gateway/address.ts';
import { dial } from '../../../gateway/dial.ts';
import type { SocksLogin } from './proxy-setting.ts';

/** RFC 1928 and, for user name and password, RFC 1929. */
const VERSION = 5;
const LOGIN_VERSION = 1;
const METHOD = { none: 0, login: 2 } as const;
const CONNECT = 1;
const ADDRESS = { ipv4: 1, domain: 3, ipv6: 4 } as const;
const SUCCEEDED = 0;
const MAX_FIELD_BYTES = 255;
const DIAL_TIMEOUT_MS = 10_000;

export interface SocksTarget {
  readonly host: string;
  readonly port: number;
}

/**
 * A connection to `target` through a SOCKS5 proxy. Names are resolved by the proxy.
 *
 * @throws Error when the proxy cannot be reached or refuses
 */
export async function connectThroughSocks(
  proxy: GatewayAddress,
  login: SocksLogin | null,
  target: SocksTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await dial(proxy, { timeoutMs: DIAL_TIMEOUT_MS, signal });
  const stop = () => socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await negotiate(socket, login);
    await requestConnection(socket, target);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function negotiate(socket: Socket, login: SocksLogin | null): Promise<void> {
  const methods = login === null ? [METHOD.none] : [METHOD.none, METHOD.login];
  socket.write(Uint8Array.of(VERSION, methods.length, ...methods));
  const [version, method] = await readBytes(socket, 2);
  if (version !== VERSION) throw new Error('the proxy does not speak SOCKS5');
  if (method === METHOD.none) return;
  if (method !== METHOD.login || login === null) throw new Error('the SOCKS5 proxy requires another sign-in method');
  socket.write(Uint8Array.of(LOGIN_VERSION, ...field(login.user), ...field(login.password)));
  const [, status] = await readBytes(socket, 2);
  if (status !== SUCCEEDED) throw new Error('the SOCKS5 proxy refused user name and password');
}

async function requestConnection(socket: Socket, { host, port }: SocksTarget): Promise<void> {
  // A literal IPv6 address is sent as text too: proxies parse it.
  const address = isIPv4(host) ? [ADDRESS.ipv4, ...host.split('.').map(Number)] : [ADDRESS.domain, ...field(host)];
  socket.write(Uint8Array.of(VERSION, CONNECT, 0, ...address, port >> 8, port & 0xff));
  const [version, reply, , kind] = await readBytes(socket, 4);
  if (version !== VERSION || reply !== SUCCEEDED) throw new Error(`the SOCKS5 proxy returned ${reply ?? 'nothing'}`);
  // The bound address is not needed, but has to be read.
  await readBytes(socket, (await boundAddressLength(socket, kind)) + 2);
}

async function boundAddressLength(socket: Socket, kind: number | undefined): Promise<number> {
  if (kind === ADDRESS.ipv4) return 4;
  if (kind === ADDRESS.ipv6) return 16;
  const [length = 0] = await readBytes(socket, 1);
  return length;
}

function field(text: string): readonly number[] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MAX_FIELD_BYTES) throw new Error('a SOCKS5 field holds at most 255 bytes');
  return [bytes.length, ...bytes];
}

/** Exactly `count` bytes; later ones stay in the socket. */
function readBytes(socket: Socket, count: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => {
      socket.off('readable', onReadable);
      socket.off('error', onEnd);
      socket.off('close', onEnd);
      socket.off('end', onEnd);
      act();
    };
    const onReadable = () => {
      const bytes: Uint8Array | null = socket.read(count);
      if (bytes !== null) finish(() => (bytes.length === count ? resolve(bytes) : reject(ended())));
    };
    const onEnd = () => finish(() => reject(ended()));
    socket.on('readable', onReadable);
    socket.on('error', onEnd);
    socket.on('close', onEnd);
    socket.on('end', onEnd);
    onReadable();
  });
}

function ended(): Error {
  return new Error('the SOCKS5 proxy closed the connection');
}
