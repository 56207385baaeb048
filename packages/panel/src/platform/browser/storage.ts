/** Prefix of all browser storage of this panel; the number is the layout version. */
const PREFIX = 'mgrpanel:v1:';

/** Parts a person can clear separately. Everything stored is in one of them. */
const GROUPS = {
  preferences: ['prefs', 'ui', 'tags', 'views'],
  caches: ['host', 'names', 'dismissed', 'updates'],
  imports: ['imports'],
  session: ['session', 'viewer'],
} as const;
export type StoredGroup = keyof typeof GROUPS;
export const STORED_GROUPS = Object.keys(GROUPS) as readonly StoredGroup[];

export type StorageName = (typeof GROUPS)[StoredGroup][number];
export type StorageKind = 'tab' | 'browser';

const memory = new Map<string, string>();

function area(kind: StorageKind): Storage | null {
  try {
    return kind === 'tab' ? window.sessionStorage : window.localStorage;
  } catch {
    // Refused by the browser's settings: the page works from memory.
    return null;
  }
}

/** Reads a JSON value; unreadable values count as absent. The caller checks the shape. */
export function readStored(kind: StorageKind, name: StorageName): unknown {
  const key = PREFIX + name;
  try {
    const text = area(kind)?.getItem(key) ?? memory.get(`${kind}:${key}`);
    return text === undefined || text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function writeStored(kind: StorageKind, name: StorageName, value: unknown): void {
  const key = PREFIX + name;
  const text = JSON.stringify(value);
  memory.set(`${kind}:${key}`, text);
  try {
    area(kind)?.setItem(key, text);
  } catch {
    // Full or refused: memory holds it until the tab closes.
  }
}

export function removeStored(kind: StorageKind, name: StorageName): void {
  const key = PREFIX + name;
  memory.delete(`${kind}:${key}`);
  try {
    area(kind)?.removeItem(key);
  } catch {
    // Nothing was stored then.
  }
}

/** Deletes everything that this panel stores in the browser. */
export function clearStored(): void {
  memory.clear();
  for (const kind of ['tab', 'browser'] as const) {
    try {
      const stored = area(kind);
      for (const key of Object.keys(stored ?? {})) if (key.startsWith(PREFIX)) stored?.removeItem(key);
    } catch {
      // Nothing was stored then.
    }
  }
}

export function clearStoredGroup(group: StoredGroup): void {
  for (const name of GROUPS[group]) for (const kind of ['tab', 'browser'] as const) removeStored(kind, name);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
