import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';

const CONNECT_TIMEOUT_MS = 30_000;
const FRESH_MS = 30_000;

/**
 * Makes sure that an origin answers a connect within 30 s. The HTTP client has no connect timeout of its own and would wait
 * for minutes, so an origin that was not heard from for 30 s is dialled once before it is called.
 */
export function createDialer(now: () => number): { ensure(url: URL): Promise<void>; heardFrom(url: URL): void } {
  const lastHeard = new Map<string, number>();
  return {
    async ensure(url) {
      const last = lastHeard.get(url.origin);
      if (last !== undefined && now() - last < FRESH_MS) return;
      await dial(url);
      lastHeard.set(url.origin, now());
    },
    heardFrom(url) {
      lastHeard.set(url.origin, now());
    },
  };
}

function dial(url: URL): Promise<void> {
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  const port = Number(url.port || (secure ? 443 : 80));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = secure
      ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ALPNProtocols: ['http/1.1'] })
      : connectPlain({ host, port });
    const finish = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => finish(new Error('no answer to the connection attempt within 30 s')));
    socket.once(secure ? 'secureConnect' : 'connect', () => finish());
    socket.once('error', finish);
  });
}
