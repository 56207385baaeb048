import { AppError } from '@manager/core/contract/errors';
import type { Socket } from 'bun';
import type { Peer } from './peer.ts';

/** Refused connections that are still open; beyond that they are closed at once. */
const MAX_OPEN = 256;
const ANSWER = answer();

/**
 * Answers connections that cannot be served with 503. Bytes that nobody reads would turn the close into a reset, and the client would
 * never see the answer, so they are read and dropped for a moment.
 */
export function createRefuser(lingerMs: number): (socket: Socket<Peer | undefined>) => void {
  const open = new Set<Timer>();
  return (socket) => {
    if (open.size >= MAX_OPEN) {
      socket.end(ANSWER);
      return;
    }
    socket.write(ANSWER);
    socket.shutdown();
    const timer = setTimeout(() => {
      open.delete(timer);
      socket.terminate();
    }, lingerMs);
    timer.unref();
    open.add(timer);
  };
}

function answer(): string {
  const error = new AppError('too_many_requests_open');
  const body = JSON.stringify(error.toBody());
  return (
    `HTTP/1.1 ${error.status} Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 5\r\n` +
    `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
  );
}
