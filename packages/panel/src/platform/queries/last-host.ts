import { type Host, isInfo } from '../api/manager.ts';
import { isRecord, readStored, writeStored } from '../browser/storage.ts';

/** Remembers who served this page, for a load at which nobody answers. */
export function rememberHost(page: string, host: Host): void {
  writeStored('browser', 'host', { page, ...host });
}

/** Who served this page last; undefined = unknown, and must not be guessed. */
export function lastHost(page: string): Host | undefined {
  const stored = readStored('browser', 'host');
  if (!isRecord(stored) || stored.page !== page) return undefined;
  if (stored.kind === 'gateway') return { kind: 'gateway', earlier: true };
  return stored.kind === 'manager' && isInfo(stored.info)
    ? { kind: 'manager', info: stored.info, earlier: true }
    : undefined;
}
