import { createHmac, randomBytes } from 'node:crypto';
import { MOST_IN_A_ROW } from './refusal-row.ts';
import type { KeyRefusalGate } from './types.ts';

/** A request without a status for this long has passed the check of its key, or nobody will know. */
export const SETTLE_MS = 1000;
/** How long a request waits for its turn. */
const TURN_MS = 1000;
const MAX_WAITING = 16;
const MAX_KNOWN = 64;
const KNOWN_MS = 60 * 60 * 1000;
const PAY_BACK_RETRY_MS = 1000;
/** A lost request may still be on its way to the gateway, and must not arrive after the call that pays it back. */
const LOST_MS = 200;
/** While the saved key is refused nothing pays back, so callers wait for the operator. */
const REFUSED_RETRY_SECONDS = 60;
/** Unanswered requests with keys that were accepted before: the gateway's key may have changed since. */
const MOST_KNOWN_AT_ONCE = MOST_IN_A_ROW - 1;

/** What a caller sends where the gateway looks for a management key. */
export interface ForeignKey {
  readonly baseUrl: string;
  readonly authorization: string;
  readonly managementKey: string;
  /** The OAuth return: gateways check no key there, but versions before 7.2.23 do. */
  readonly openPath: boolean;
}

/** The fate of one request; only the first report counts. */
export interface ForeignPermit {
  /** `checked` = the answer proves that the gateway looked at the key. */
  answered(status: number, checked: boolean): void;
  /** Sent, and nobody will read the answer. */
  lost(): void;
  unsent(): void;
}

export type ForeignEntry = ForeignPermit | { readonly retryAfterSeconds: number };

/**
 * The gate before requests with a caller's own key that the gateway counts under the manager's address. The fifth refusal in a row
 * would ban the manager, and one accepted call ends a row, so after each refusal the manager pays back with a call of its own
 * before it lets the next unknown key through.
 */
export interface ForeignKeys {
  enter(key: ForeignKey, signal?: AbortSignal): Promise<ForeignEntry>;
}

export interface ForeignKeysDeps {
  readonly gate: Pick<KeyRefusalGate, 'row' | 'ownRefusals' | 'snapshot'>;
  /** One cheap call with the saved key through the gate; it may fail. */
  readonly payBack: () => Promise<void>;
  readonly now: () => number;
  /** Calls back once; returns how to prevent that. */
  readonly after: (ms: number, call: () => void) => () => void;
}

type Kind = 'unknown' | 'known' | 'probe';

interface Waiting {
  readonly key: ForeignKey;
  readonly digest: string;
  readonly done: (entry: ForeignEntry) => void;
}

export function createForeignKeys(deps: ForeignKeysDeps): ForeignKeys {
  const { gate, now, after } = deps;
  const { row } = gate;
  const secret = randomBytes(32);
  /** Digest of a key that the gateway accepted, and until when that counts. */
  const known = new Map<string, number>();
  /** What is known of the OAuth return, by gateway. */
  const openPaths = new Map<string, 'open' | 'checked'>();
  const waiting: Waiting[] = [];
  let unknownAtOnce = 0;
  let probing = false;
  let paying = false;
  let payAgainAtMs = 0;

  function kindOf(key: ForeignKey, digest: string): Kind {
    if (key.openPath && !openPaths.has(key.baseUrl)) return 'probe';
    return (known.get(digest) ?? 0) > now() ? 'known' : 'unknown';
  }

  function hasRoom(kind: Kind): boolean {
    const { counted, possible } = gate.ownRefusals();
    const inARow = row.count() + row.waiting + counted;
    if (kind === 'known') return row.waiting === 0 || inARow < MOST_KNOWN_AT_ONCE;
    if (kind === 'probe') return !probing && inARow < MOST_KNOWN_AT_ONCE;
    // A refused saved key pays nothing back, so what is left below the ban is all there is.
    const isPaid = row.count() === 0 || gate.snapshot() !== null;
    return isPaid && unknownAtOnce === 0 && inARow + possible < MOST_IN_A_ROW;
  }

  function permit(key: ForeignKey, digest: string, kind: Kind): ForeignPermit {
    const mark = row.mark();
    row.waiting += 1;
    if (kind === 'probe') probing = true;
    if (kind === 'unknown') unknownAtOnce += 1;
    let isOpen = true;
    let isWaiting = true;
    const cancel = after(SETTLE_MS, () => {
      stopWaiting();
      // A late refusal of a known key is counted when it comes.
      if (kind !== 'known') strike();
      admit();
    });
    function stopWaiting(): void {
      if (!isWaiting) return;
      isWaiting = false;
      row.waiting -= 1;
      if (kind === 'probe') probing = false;
      if (kind === 'unknown') unknownAtOnce -= 1;
    }
    function close(how: () => void): void {
      if (!isOpen) return;
      isOpen = false;
      cancel();
      stopWaiting();
      how();
      admit();
    }
    return {
      answered: (status, checked) =>
        close(() => {
          const isRefused = isRefusal(status);
          if (kind === 'probe') openPaths.set(key.baseUrl, isRefused ? 'checked' : 'open');
          if (isRefused) {
            known.delete(digest);
            strike();
          } else if (checked && kind !== 'probe') {
            row.accepted(mark);
            remember(digest);
          }
        }),
      lost: () => close(strikeLater),
      unsent: () => close(() => {}),
    };
  }

  /** No limit, until a gateway of an older version has taken the place of this one. */
  function openPermit(key: ForeignKey): ForeignPermit {
    return {
      answered(status) {
        if (!isRefusal(status)) return;
        openPaths.set(key.baseUrl, 'checked');
        strike();
      },
      lost() {},
      unsent() {},
    };
  }

  function remember(digest: string): void {
    known.delete(digest);
    known.set(digest, now() + KNOWN_MS);
    const oldest = known.keys().next();
    if (known.size > MAX_KNOWN && !oldest.done) known.delete(oldest.value);
  }

  function strike(): void {
    row.refused();
    payBack();
  }

  function strikeLater(): void {
    row.refused();
    payAgainAtMs = Math.max(payAgainAtMs, now() + LOST_MS);
    after(LOST_MS, payBack);
  }

  /** A refused saved key pays nothing back; one that was merely tried in between does. */
  function owes(): boolean {
    return row.count() > 0 || (gate.ownRefusals().counted > 0 && gate.snapshot() === null);
  }

  function payBack(): void {
    if (paying || now() < payAgainAtMs || !owes()) return;
    paying = true;
    const mark = row.mark();
    const end = () => {
      paying = false;
      // What is left of the row began after this call.
      const isPaid = row.count() <= row.mark() - mark;
      if (!isPaid) payAgainAtMs = now() + PAY_BACK_RETRY_MS;
      payBack();
      admit();
    };
    deps.payBack().then(end, end);
  }

  /** Lets waiting requests through, first come, first served. */
  function admit(): void {
    for (let index = 0; index < waiting.length; ) {
      const one = waiting[index];
      if (one === undefined) return;
      const entry = tryEnter(one.key, one.digest);
      if (entry === null) index += 1;
      else {
        waiting.splice(index, 1);
        one.done(entry);
      }
    }
  }

  function tryEnter(key: ForeignKey, digest: string): ForeignPermit | null {
    if (key.openPath && openPaths.get(key.baseUrl) === 'open') return openPermit(key);
    const kind = kindOf(key, digest);
    return hasRoom(kind) ? permit(key, digest, kind) : null;
  }

  function refusal(): ForeignEntry {
    return { retryAfterSeconds: gate.snapshot() === null ? 1 : REFUSED_RETRY_SECONDS };
  }

  function waitForTurn(key: ForeignKey, digest: string, signal?: AbortSignal): Promise<ForeignEntry> {
    return new Promise((resolve) => {
      const leave = () => {
        // A key that was accepted before waits until the others are settled, and is never refused here.
        if (kindOf(key, digest) === 'known' && signal?.aborted !== true) {
          cancel = after(TURN_MS, leave);
          return;
        }
        waiting.splice(waiting.indexOf(one), 1);
        one.done(refusal());
      };
      let cancel = after(TURN_MS, leave);
      const one: Waiting = {
        key,
        digest,
        done(entry) {
          cancel();
          signal?.removeEventListener('abort', leave);
          resolve(entry);
        },
      };
      waiting.push(one);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  row.onForgotten = admit;

  return {
    async enter(key, signal) {
      payBack();
      admit();
      const digest = createHmac('sha256', secret)
        .update(JSON.stringify([key.baseUrl, key.authorization, key.managementKey]))
        .digest('base64');
      const kind = kindOf(key, digest);
      const isKeyless = key.authorization === '' && key.managementKey === '' && kind === 'unknown';
      // Nobody overtakes a caller with a key that may be right.
      const mayOvertake = kind !== 'unknown' || waiting.length === 0;
      const entry = mayOvertake ? tryEnter(key, digest) : null;
      if (entry !== null) return entry;
      // Without a key it is refused anyway, and any web page can send such requests.
      if (isKeyless && !key.openPath) return refusal();
      if (signal?.aborted === true || (kind === 'unknown' && waiting.length >= MAX_WAITING)) return refusal();
      return waitForTurn(key, digest, signal);
    },
  };
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}
