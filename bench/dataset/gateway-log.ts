import type { Simulator } from '@manager/simulator';

/** Lines of requests, one a second until now. */
export function writeLog(gateway: Simulator, bytes: number): void {
  const line = (stamp: string, index: number) =>
    `[${stamp}] [${index.toString(16).padStart(8, '0')}] [info ] [gin_logger.go:94] 200 |        1.62s |     203.0.113.${index % 250} | POST    "/v1/${index % 3 === 0 ? 'messages' : 'responses'}"`;
  const length = line('2026-01-01 00:00:00', 0).length + 1;
  const count = Math.ceil(bytes / length);
  const startMs = gateway.now() - count * 1_000;
  for (let index = 0; index < count; index++) {
    const stamp = new Date(startMs + index * 1_000).toISOString().slice(0, 19).replace('T', ' ');
    gateway.writeLog(line(stamp, index));
  }
}
