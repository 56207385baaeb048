import { WebSocketServer } from 'ws';
import type { Exchange } from './exchange.ts';

const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });

/** Accepts a WebSocket that echoes every message; takes the first subprotocol the client offers. */
export function echoWebSocket(exchange: Exchange): void {
  const { request, response, connection, record } = exchange;
  const { socket } = connection;
  response.detachSocket(socket);
  server.once('headers', (lines) => {
    for (const [name, value] of Object.entries(exchange.extraHeaders)) lines.push(`${name}: ${value}`);
  });
  server.handleUpgrade(request, socket, exchange.upgradeHead ?? Buffer.alloc(0), (client) => {
    record.status = 101;
    client.on('message', (data, isBinary) => client.send(data, { binary: isBinary }));
    client.once('close', (code) => {
      // 1006: the connection broke without a closing frame.
      if (code === 1006) exchange.left();
      else record.finished = true;
    });
  });
}
