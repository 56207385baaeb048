import { readFileSync } from 'node:fs';
import { AppError } from '@manager/core/contract/errors';
import type { Peer } from './peer.ts';

/** Database files, log, workers, the collector's sockets, uploads and archives of the operator. */
const RESERVED_DESCRIPTORS = 140;
/** Where the system does not tell its limit. */
const USUAL_DESCRIPTORS = 1024;
const MAX_CONNECTIONS = 512;
const MIN_CONNECTIONS = 16;
/** Of all connections, what one address may have, and what requests without the admin key may keep busy. */
const ADDRESS_SHARE = 0.75;
/** Each may keep about 1 MiB of its body on the way to the gateway. */
const MAX_BUSY_STRANGERS = 96;
const RETRY_SECONDS = 5;

export type Phase = 'idle' | 'head' | 'body' | 'answer' | 'tunnel';

export interface Guest {
  readonly peer: Peer;
  /** Whose connections are counted together. */
  readonly group: string;
  phase: Phase;
}

export interface Admission {
  /** False = refused: every connection is busy. */
  admit(guest: Guest): boolean;
  left(guest: Guest): void;
  /**
   * A request without the admin key begins; the result ends it.
   *
   * @throws AppError 503
   */
  beginStranger(group: string): () => void;
  readonly guests: ReadonlySet<Guest>;
}

/** How many connections the limit of file descriptors allows: each may need a second one, to the gateway. */
export function connectionLimit(descriptors: number): number {
  const half = Math.floor((descriptors - RESERVED_DESCRIPTORS) / 2);
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, half));
}

/** The runtime raises its own limit to the highest allowed one. */
export function descriptorLimit(): number {
  try {
    const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft) || USUAL_DESCRIPTORS;
  } catch {
    return USUAL_DESCRIPTORS;
  }
}

/**
 * Decides whose connection is kept. A new connection is nearly always accepted, because it may be the operator's: the one that keeps us
 * waiting longest is closed for it, of the same address first.
 */
export function createAdmission(options: {
  readonly limit: number;
  readonly onGivenUp: (peer: Peer) => void;
}): Admission {
  const { limit } = options;
  const perGroup = Math.ceil(limit * ADDRESS_SHARE);
  const guests = new Set<Guest>();
  const byGroup = new Map<string, number>();
  const busy = new Map<string, number>();
  let allBusy = 0;
  const maxBusy = Math.min(MAX_BUSY_STRANGERS, Math.floor(limit * ADDRESS_SHARE));
  const maxBusyOfOne = Math.ceil(maxBusy / 2);

  function giveUp(isCandidate: (guest: Guest) => boolean): boolean {
    let chosen: Guest | null = null;
    for (const guest of guests) {
      if (guest.peer.waitingSince === null || !isCandidate(guest)) continue;
      if (guest.peer.isOperator && guest.phase !== 'idle') continue;
      if (chosen === null || isBefore(guest, chosen)) chosen = guest;
    }
    if (chosen === null) return false;
    options.onGivenUp(chosen.peer);
    chosen.peer.reset();
    return true;
  }

  function remove(guest: Guest): void {
    if (guests.delete(guest)) add(byGroup, guest.group, -1);
  }

  return {
    guests,
    admit(guest) {
      const { group } = guest;
      const own = (other: Guest) => other.group === group;
      if ((byGroup.get(group) ?? 0) >= perGroup && !giveUp(own)) return false;
      if (guests.size >= limit && !giveUp(own) && !giveUp(() => true)) return false;
      guests.add(guest);
      add(byGroup, group, 1);
      return true;
    },
    left: remove,
    beginStranger(group) {
      if (allBusy >= maxBusy || (busy.get(group) ?? 0) >= maxBusyOfOne)
        throw new AppError('too_many_requests_open', { headers: { 'Retry-After': String(RETRY_SECONDS) } });
      allBusy += 1;
      add(busy, group, 1);
      return () => {
        allBusy -= 1;
        add(busy, group, -1);
      };
    },
  };
}

function isBefore(guest: Guest, other: Guest): boolean {
  const difference = rankOf(guest) - rankOf(other);
  return difference < 0 || (difference === 0 && Number(guest.peer.waitingSince) < Number(other.peer.waitingSince));
}

/**
 * Those with a low rank are given up first. A new connection counts as an unfinished request, or a burst of strangers would close
 * that of an operator before its first bytes.
 */
function rankOf({ phase, peer }: Guest): number {
  if (phase === 'tunnel') return 3;
  if (phase === 'answer') return 2;
  return phase === 'idle' && peer.hasServed && !peer.isOperator ? 0 : 1;
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const now = (counts.get(key) ?? 0) + change;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}
