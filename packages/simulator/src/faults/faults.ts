import type { Fault } from './fault-types.ts';

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { readonly kind: Kind }>;

/** The active faults, and how often each may still apply. */
export interface Faults {
  add(fault: Fault): number;
  /** Without an id: all. */
  clear(id?: number): void;
  /** Uses up one occasion of the first matching fault of this kind; null without one. */
  take<Kind extends Fault['kind']>(kind: Kind, matches?: (fault: FaultOf<Kind>) => boolean): FaultOf<Kind> | null;
  /** A fault that lasts until it is cleared. */
  isSet(kind: Fault['kind']): boolean;
}

interface Entry {
  readonly id: number;
  readonly fault: Fault;
  skip: number;
  left: number;
}

interface FaultEvents {
  readonly added: (fault: Fault, id: number) => void;
  readonly cleared: (fault: Fault) => void;
}

export function createFaults(events: FaultEvents): Faults {
  let entries: Entry[] = [];
  let nextId = 1;
  return {
    add(fault) {
      const id = nextId;
      nextId += 1;
      const left = fault.times === 'always' ? Number.POSITIVE_INFINITY : (fault.times ?? 1);
      entries.push({ id, fault, skip: fault.skip ?? 0, left });
      events.added(fault, id);
      return id;
    },
    clear(id) {
      const removed = entries.filter((entry) => id === undefined || entry.id === id);
      entries = entries.filter((entry) => !removed.includes(entry));
      for (const entry of removed) events.cleared(entry.fault);
    },
    take(kind, matches) {
      for (const entry of entries) {
        if (!isKind(entry.fault, kind) || matches?.(entry.fault) === false) continue;
        if (entry.skip > 0) {
          entry.skip -= 1;
          continue;
        }
        entry.left -= 1;
        if (entry.left <= 0) entries = entries.filter((other) => other !== entry);
        return entry.fault;
      }
      return null;
    },
    isSet: (kind) => entries.some((entry) => entry.fault.kind === kind),
  };
}

function isKind<Kind extends Fault['kind']>(fault: Fault, kind: Kind): fault is FaultOf<Kind> {
  return fault.kind === kind;
}
