import { createHmac, randomBytes } from 'node:crypto';
import type { KeyRefusalReason } from '@manager/core/contract/system/status';
import type { GatewayConnection } from '../platform/config/config.ts';
import { banMs, refusalReason } from './errors.ts';
import { createRefusalRow, FORGOTTEN_MS, MOST_IN_A_ROW, type RefusalRow } from './refusal-row.ts';
import type { GatePermit, KeyRefusalGate, KeyRefused } from './types.ts';

/** Three refusals of one key leave room for the operator below the ban. */
const MAX_TRIES = 3;
/** Then the gateway has forgotten them. */
const SLOW_RETRY_MS = FORGOTTEN_MS;
/** A save sends the same rejected key again only after this. */
const SAME_KEY_MS = 10 * 60_000;
/** Somebody may have changed the gateway's configuration. */
const OTHER_RETRY_MS = 60_000;
/** The gateway states the end of a ban in whole seconds. */
const BAN_MARGIN_MS = 5000;
/** A key that was accepted within this time is taken for right. */
const SURELY_RIGHT_MS = 100;
/** Unanswered requests with any other key; a check and a request of the collector keep room below the ban. */
const MOST_UNCHECKED = 2;
/** Remembered keys, so that trying another one does not reset the tries of the first. */
const MAX_ENTRIES = 8;

export const KEY_REFUSALS_SETTING = 'upstream_key_refusals';

export interface RefusalGateDeps {
  readonly now: () => number;
  /** JSON text of a row of `settings`, null = missing. */
  readonly readSetting: (key: string) => Promise<string | null>;
  readonly writeSetting: (key: string, value: string) => Promise<void>;
  readonly onWriteError?: (error: unknown) => void;
  /** Why a key must not be sent to any gateway, null = it may be. Not asked for a key that the gateway accepts. */
  readonly forbidden?: (key: string) => string | null;
  readonly randomSalt?: () => string;
}

export interface PersistentKeyRefusalGate extends KeyRefusalGate {
  /** Resolves when everything reported so far is stored (or could not be). */
  saved(): Promise<void>;
}

/** State of one pair of URL and key. */
interface Entry {
  readonly fingerprint: string;
  /** Digest of the URL; '' in rows of earlier versions until the pair is used again. */
  urlDigest: string;
  /** Refusals since the last success. */
  tries: number;
  /** Those of them that the gateway counts. */
  counted: number;
  /** Those since the gateway last accepted any key of ours. */
  inARow: number;
  lastAtMs: number;
  detail: string;
  /** Tries left before the slow rule. */
  allowance: number;
  /** Permits that were given and not reported yet. */
  pending: number;
  /** The key was accepted and not refused since: parallel requests need no limit. */
  trusted: boolean;
  /** When it was last accepted, by this process. */
  acceptedAtMs: number;
  /** Refused in an earlier process: the first try does not wait. */
  fresh: boolean;
  /** Why the key must not be sent, '' = it may be, null = not asked yet. */
  forbidden: string | null;
}

/**
 * The gate before every request with the saved key. Tries, times and a keyed digest of URL and key are stored in `settings`,
 * never the key itself. After a restart a refused key has one try, then one per three hours; a success opens the gate. Where the key
 * is not at fault, there is one try when the cause can have ended.
 */
export async function createKeyRefusalGate(deps: RefusalGateDeps): Promise<PersistentKeyRefusalGate> {
  const stored = parseStored(await deps.readSetting(KEY_REFUSALS_SETTING));
  const salt = stored?.salt ?? deps.randomSalt?.() ?? randomBytes(16).toString('hex');
  const entries: Entry[] = stored?.entries ?? [];
  let current: Entry | null = null;
  let saving: Promise<void> = Promise.resolve();
  const row = createRefusalRow(deps.now);

  function save(): void {
    const value = JSON.stringify({
      salt,
      entries: entries
        .filter((entry) => entry.tries > 0 || entry.trusted)
        .map(({ fingerprint, urlDigest, tries, counted, inARow, lastAtMs, detail, trusted }) => ({
          fingerprint,
          urlDigest,
          tries,
          counted,
          inARow,
          lastAtMs,
          detail,
          trusted,
        })),
    });
    saving = saving
      .then(() => deps.writeSetting(KEY_REFUSALS_SETTING, value))
      .catch((error: unknown) => deps.onWriteError?.(error));
  }

  const digestOf = (text: string) => createHmac('sha256', salt).update(text).digest('hex');

  function entryOf(connection: GatewayConnection): Entry {
    const fingerprint = digestOf(`${connection.baseUrl}\n${connection.managementKey}`);
    const urlDigest = digestOf(connection.baseUrl);
    const known = entries.find((entry) => entry.fingerprint === fingerprint);
    if (known !== undefined) {
      known.urlDigest = urlDigest;
      return known;
    }
    const entry: Entry = {
      fingerprint,
      urlDigest,
      tries: 0,
      counted: 0,
      inARow: 0,
      lastAtMs: 0,
      detail: '',
      allowance: MAX_TRIES,
      pending: 0,
      trusted: false,
      acceptedAtMs: Number.NEGATIVE_INFINITY,
      fresh: false,
      forbidden: null,
    };
    entries.push(entry);
    if (entries.length > MAX_ENTRIES) {
      const oldest = entries.findIndex((one) => one !== entry && one !== current && one.pending === 0);
      if (oldest >= 0) entries.splice(oldest, 1);
    }
    return entry;
  }

  function permit(entry: Entry): GatePermit {
    const mark = row.mark();
    entry.pending += 1;
    let reported = false;
    return {
      open: true,
      report(outcome, detail) {
        if (reported) return;
        reported = true;
        entry.pending -= 1;
        if (outcome === 'accepted') accept(entry, mark);
        else if (outcome === 'refused') refuse(entry, detail ?? '');
      },
    };
  }

  const sameGateway = ({ urlDigest }: Entry) => entries.filter((entry) => entry.urlDigest === urlDigest);

  const rejectedInARow = (entry: Entry) => sameGateway(entry).reduce((sum, { inARow }) => sum + inARow, 0);

  /** Rejected keys that the gateway still takes before it bans the manager. */
  function triesLeft(entry: Entry): number {
    return Math.max(MOST_IN_A_ROW + 1 - rejectedInARow(entry) - row.count(), 0);
  }

  /** When a save may send this pair again, 0 = now. A rejected key never uses the last try, because nothing speaks for it. */
  function nextSaveOf(entry: Entry): number {
    if (entry.tries === 0 || hasOtherCause(entry)) return 0;
    const atMs = entry.lastAtMs + (triesLeft(entry) > 1 ? SAME_KEY_MS : SLOW_RETRY_MS);
    const nowMs = deps.now();
    return nowMs < entry.lastAtMs || nowMs >= atMs ? 0 : atMs;
  }

  function accept(entry: Entry, mark: number): void {
    row.accepted(mark);
    for (const other of sameGateway(entry)) other.inARow = 0;
    entry.acceptedAtMs = deps.now();
    if (entry.trusted && entry.tries === 0) return;
    entry.tries = 0;
    entry.counted = 0;
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
    entry.trusted = false;
    entry.fresh = false;
    const reason = refusalReason(detail);
    if (reason === 'key_rejected') {
      entry.counted += 1;
      entry.inARow += 1;
      entry.allowance = Math.max(entry.allowance - 1, 0);
    }
    // Its end clears the gateway's counter for our address.
    else if (reason === 'address_banned') {
      entry.counted = 0;
      for (const other of sameGateway(entry)) other.inARow = 0;
      row.clear();
    }
    save();
  }

  return {
    enter(connection, options) {
      const entry = entryOf(connection);
      if (options?.sent === true) return permit(entry);
      entry.forbidden ??= deps.forbidden?.(connection.managementKey) ?? '';
      if (isForbidden(entry)) {
        if (options?.explicit !== true) current = entry;
        return { open: false, refused: refusedOf(entry, row, deps.now()), detail: entry.forbidden };
      }
      if (options?.explicit === true) {
        const nextTryAtMs = nextSaveOf(entry);
        if (nextTryAtMs === 0) return permit(entry);
        return { open: false, refused: { ...refusedOf(entry, row, deps.now()), nextTryAtMs }, detail: entry.detail };
      }
      current = entry;
      if (entry.trusted) return permit(entry);
      if (isOpen(entry, row, rejectedInARow(entry), deps.now())) return permit(entry);
      return { open: false, refused: refusedOf(entry, row, deps.now()), detail: shutDetail(entry) };
    },
    needsCheck(connection) {
      const { trusted, pending, acceptedAtMs } = entryOf(connection);
      return trusted && pending >= MOST_UNCHECKED && Math.abs(deps.now() - acceptedAtMs) >= SURELY_RIGHT_MS;
    },
    triesLeft: (connection) => triesLeft(entryOf(connection)),
    row,
    ownRefusals: () =>
      current === null
        ? { counted: 0, possible: 1 }
        : { counted: rejectedInARow(current), possible: current.trusted ? 1 : Math.max(current.allowance, 1) },
    snapshot() {
      if (current === null) return null;
      return current.tries > 0 || isForbidden(current) ? refusedOf(current, row, deps.now()) : null;
    },
    saved: () => saving,
  };
}

function isOpen(entry: Entry, row: RefusalRow, rejected: number, nowMs: number): boolean {
  if (isShared(row) && row.count() + row.waiting + row.others() + rejected + entry.pending >= MOST_IN_A_ROW)
    return false;
  // A clock that was set back does not shut the gate.
  const due = entry.tries > 0 && (nowMs >= nextTryOf(entry, row) || nowMs < entry.lastAtMs);
  if (hasOtherCause(entry)) return entry.pending === 0 && (due || entry.fresh);
  return entry.pending < entry.allowance || (entry.allowance === 0 && entry.pending === 0 && due);
}

/** Callers have their part in the row; the tries of the saved key alone have their own rule. */
function isShared(row: RefusalRow): boolean {
  return row.count() + row.waiting + row.others() > 0;
}

function nextTryOf(entry: Entry, row: RefusalRow): number {
  if (row.count() > 0 && row.count() + entry.inARow >= MOST_IN_A_ROW) return row.endsAtMs();
  const hasTries = !hasOtherCause(entry) && entry.allowance > entry.pending;
  return hasTries ? entry.lastAtMs : entry.lastAtMs + waitOf(entry.detail);
}

/** The last refusal was not the key's fault. */
function hasOtherCause(entry: Entry): boolean {
  return entry.tries > 0 && refusalReason(entry.detail) !== 'key_rejected';
}

/** Such answers are not counted at the gateway, so a try costs nothing; a ban states its end. */
function waitOf(detail: string): number {
  if (refusalReason(detail) === 'key_rejected') return SLOW_RETRY_MS;
  const ban = banMs(detail);
  return ban === null ? OTHER_RETRY_MS : Math.min(ban + BAN_MARGIN_MS, SLOW_RETRY_MS);
}

/** A key that the gateway accepts is its own, whatever else it is. */
function isForbidden(entry: Entry): entry is Entry & { readonly forbidden: string } {
  return !entry.trusted && entry.forbidden !== null && entry.forbidden !== '';
}

function refusedOf(entry: Entry, row: RefusalRow, nowMs: number): KeyRefused {
  const { tries, lastAtMs, detail } = entry;
  if (isForbidden(entry)) {
    return { reason: 'key_rejected', tries, lastAtMs: lastAtMs || nowMs, nextTryAtMs: nowMs + SLOW_RETRY_MS };
  }
  return { reason: refusalReason(detail), tries, lastAtMs, nextTryAtMs: nextTryOf(entry, row) };
}

function shutDetail(entry: Entry): string {
  if (entry.tries === 0) return 'the saved key is being checked; try again in a moment';
  const why = entry.detail === '' ? 'the saved key was rejected' : entry.detail;
  return `${why} (${RETRIES[refusalReason(entry.detail)]})`;
}

const RETRIES: Readonly<Record<KeyRefusalReason, string>> = {
  key_rejected: 'no automatic retry for 3 h, to avoid a ban; saving another key tries that one at once',
  address_banned: 'no automatic retry until the ban ends; saving the connection retries at once',
  remote_disabled: 'retried every 60 s; saving the connection retries at once',
  key_not_set: 'retried every 60 s; saving the connection retries at once',
};

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
  const tries = countOf(value.tries);
  // Rows of earlier versions have one count.
  const counted = value.counted === undefined ? tries : countOf(value.counted);
  return [
    {
      fingerprint: value.fingerprint,
      urlDigest: typeof value.urlDigest === 'string' ? value.urlDigest : '',
      tries,
      counted,
      inARow: value.inARow === undefined ? counted : countOf(value.inARow),
      lastAtMs: typeof value.lastAtMs === 'number' ? value.lastAtMs : 0,
      detail: typeof value.detail === 'string' ? value.detail : '',
      // A restart with a refused key has one try, not three.
      allowance: counted > 0 ? 1 : MAX_TRIES,
      pending: 0,
      trusted: value.trusted === true && tries === 0,
      acceptedAtMs: Number.NEGATIVE_INFINITY,
      fresh: tries > 0,
      forbidden: null,
    },
  ];
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.trunc(value) : 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
