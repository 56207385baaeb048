import { createHmac, randomBytes } from 'node:crypto';
import type { UpstreamConnection } from '../platform/config/config.ts';
import type { GatePermit, KeyRefusalGate, KeyRefused } from './types.ts';

/**
 * Five refusals in a row ban the caller's address at the gateway, whatever their distance; three leave room for the operator.
 */
const MAX_TRIES = 3;
/** Refusals in a row, ours and those of callers with our address, that stay below the ban. */
const MAX_TOGETHER = 4;
const SLOW_RETRY_MS = 3 * 60 * 60 * 1000;
/** The gateway states the end of a ban in whole seconds. */
const BAN_MARGIN_MS = 5000;
/** Remembered keys, so that trying another one does not reset the tries of the first. */
const MAX_ENTRIES = 8;

export const KEY_REFUSALS_SETTING = 'upstream_key_refusals';

export interface RefusalGateDeps {
  readonly now: () => number;
  /** JSON text of a row of `settings`, null = missing. */
  readonly readSetting: (key: string) => Promise<string | null>;
  readonly writeSetting: (key: string, value: string) => Promise<void>;
  readonly onWriteError?: (error: unknown) => void;
  readonly randomSalt?: () => string;
}

export interface PersistentKeyRefusalGate extends KeyRefusalGate {
  /** Resolves when everything reported so far is stored (or could not be). */
  saved(): Promise<void>;
}

/** State of one pair of URL and key. */
interface Entry {
  readonly fingerprint: string;
  tries: number;
  lastAtMs: number;
  detail: string;
  /** Tries left before the slow rule. */
  allowance: number;
  /** Permits that were given and not reported yet. */
  pending: number;
  /** The key was accepted and not refused since: parallel requests need no limit. */
  trusted: boolean;
}

/**
 * The gate before every request with the saved key. Tries, times and a keyed digest of URL and key are stored in `settings`,
 * never the key itself. After a restart a refused key has one try, then one per three hours; a success opens the gate.
 */
export async function createKeyRefusalGate(deps: RefusalGateDeps): Promise<PersistentKeyRefusalGate> {
  const stored = parseStored(await deps.readSetting(KEY_REFUSALS_SETTING));
  const salt = stored?.salt ?? deps.randomSalt?.() ?? randomBytes(16).toString('hex');
  const entries: Entry[] = stored?.entries ?? [];
  let current: Entry | null = null;
  let saving: Promise<void> = Promise.resolve();
  /** Refused keys of callers that the gateway counts under our address, since it last accepted ours. */
  const foreign = { refused: 0, pending: 0, lastAtMs: 0 };

  function save(): void {
    const value = JSON.stringify({
      salt,
      entries: entries
        .filter((entry) => entry.tries > 0 || entry.trusted)
        .map(({ fingerprint, tries, lastAtMs, detail, trusted }) => ({
          fingerprint,
          tries,
          lastAtMs,
          detail,
          trusted,
        })),
    });
    saving = saving
      .then(() => deps.writeSetting(KEY_REFUSALS_SETTING, value))
      .catch((error: unknown) => deps.onWriteError?.(error));
  }

  function entryOf(connection: UpstreamConnection): Entry {
    const fingerprint = createHmac('sha256', salt)
      .update(`${connection.baseUrl}\n${connection.managementKey}`)
      .digest('hex');
    const known = entries.find((entry) => entry.fingerprint === fingerprint);
    if (known !== undefined) return known;
    const entry: Entry = {
      fingerprint,
      tries: 0,
      lastAtMs: 0,
      detail: '',
      allowance: MAX_TRIES,
      pending: 0,
      trusted: false,
    };
    entries.push(entry);
    if (entries.length > MAX_ENTRIES) {
      const oldest = entries.findIndex((one) => one !== entry && one !== current && one.pending === 0);
      if (oldest >= 0) entries.splice(oldest, 1);
    }
    return entry;
  }

  function permit(entry: Entry): GatePermit {
    entry.pending += 1;
    let reported = false;
    return {
      open: true,
      report(outcome, detail) {
        if (reported) return;
        reported = true;
        entry.pending -= 1;
        if (outcome === 'accepted') accept(entry);
        else if (outcome === 'refused') refuse(entry, detail ?? '');
      },
    };
  }

  function accept(entry: Entry): void {
    // A success clears the gateway's counter for our address.
    foreign.refused = 0;
    if (entry.trusted && entry.tries === 0) return;
    entry.tries = 0;
    entry.lastAtMs = 0;
    entry.detail = '';
    entry.allowance = MAX_TRIES;
    entry.trusted = true;
    save();
  }

  function refuse(entry: Entry, detail: string): void {
    entry.tries += 1;
    entry.lastAtMs = deps.now();
    entry.detail = detail;
    entry.allowance = Math.max(entry.allowance - 1, 0);
    entry.trusted = false;
    save();
  }

  return {
    enter(connection, options) {
      const entry = entryOf(connection);
      if (options?.explicit === true) return permit(entry);
      current = entry;
      if (entry.trusted) return permit(entry);
      if (entry.pending < entry.allowance) return permit(entry);
      const due = entry.tries > 0 && deps.now() >= nextTryOf(entry);
      if (entry.allowance === 0 && entry.pending === 0 && due) return permit(entry);
      return { open: false, refused: refusedOf(entry), detail: shutDetail(entry) };
    },
    enterForeign() {
      const nowMs = deps.now();
      if (nowMs - foreign.lastAtMs >= SLOW_RETRY_MS) foreign.refused = 0;
      const limit = Math.min(MAX_TRIES, MAX_TOGETHER - (current?.tries ?? 0));
      if (foreign.refused + foreign.pending >= limit) {
        const refused = { tries: foreign.refused, lastAtMs: foreign.lastAtMs, nextTryAtMs: nowMs };
        return { open: false, refused, detail: 'too many rejected keys from this address' };
      }
      foreign.pending += 1;
      let reported = false;
      return {
        open: true,
        report(outcome) {
          if (reported) return;
          reported = true;
          foreign.pending -= 1;
          if (outcome !== 'refused') return;
          foreign.refused += 1;
          foreign.lastAtMs = deps.now();
        },
      };
    },
    snapshot: () => (current !== null && current.tries > 0 ? refusedOf(current) : null),
    saved: () => saving,
  };
}

function nextTryOf(entry: Entry): number {
  return entry.allowance > entry.pending ? entry.lastAtMs : entry.lastAtMs + waitOf(entry);
}

/** A ban states its end, which clears the gateway's counter: the one try then cannot cause the next ban. */
function waitOf(entry: Entry): number {
  const banMs = banOf(entry.detail);
  return banMs === null ? SLOW_RETRY_MS : Math.min(banMs + BAN_MARGIN_MS, SLOW_RETRY_MS);
}

/** @example banOf('IP banned due to too many failed attempts. Try again in 29m58s') === 1_798_000 */
function banOf(detail: string): number | null {
  const found = /IP banned.*?Try again in (?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?/i.exec(detail);
  if (found === null) return null;
  const [hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
  const ms = (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000;
  return ms > 0 ? ms : null;
}

function refusedOf(entry: Entry): KeyRefused {
  return { tries: entry.tries, lastAtMs: entry.lastAtMs, nextTryAtMs: nextTryOf(entry) };
}

function shutDetail(entry: Entry): string {
  if (entry.tries === 0) return 'the saved key is being checked; try again in a moment';
  const why = entry.detail === '' ? 'the saved key was rejected' : entry.detail;
  const pause = banOf(entry.detail) === null ? 'for 3 h, to avoid a ban' : 'until the ban ends';
  return `${why} (no automatic retry ${pause}; saving the connection retries at once)`;
}

/** Rows of any age: an invalid one is ignored. */
function parseStored(text: string | null): { salt: string; entries: Entry[] } | null {
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || typeof value.salt !== 'string' || value.salt === '') return null;
  const list = Array.isArray(value.entries) ? value.entries : [];
  return { salt: value.salt, entries: list.flatMap(readEntry) };
}

function readEntry(value: unknown): Entry[] {
  if (!isRecord(value) || typeof value.fingerprint !== 'string') return [];
  const tries = typeof value.tries === 'number' && value.tries > 0 ? Math.trunc(value.tries) : 0;
  return [
    {
      fingerprint: value.fingerprint,
      tries,
      lastAtMs: typeof value.lastAtMs === 'number' ? value.lastAtMs : 0,
      detail: typeof value.detail === 'string' ? value.detail : '',
      // A restart with a refused key has one try, not three.
      allowance: tries > 0 ? 1 : MAX_TRIES,
      pending: 0,
      trusted: value.trusted === true && tries === 0,
    },
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
