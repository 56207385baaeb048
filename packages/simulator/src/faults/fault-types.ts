import type { ApiCallAnswer, ApiCallFailure, ApiCallOuterAnswer } from '../accounts/api-call-types.ts';
import type { JsonValue } from '../json.ts';
import type { MutationKind } from '../management/call-kinds.ts';

/** Place in a RESP frame: `*3`, `$len`, the payload, or between payload and CRLF. */
export type FramePosition = 'array-header' | 'length' | 'payload' | 'before-crlf';

/** `message` = a pub/sub event, `pop` = the answer of a pop. */
export type FrameKind = 'message' | 'pop' | 'any';

interface Repeated {
  /** How often it applies; default 1. */
  readonly times?: number | 'always';
  /** Matching occasions to skip first. */
  readonly skip?: number;
}

/** `path` is exact, or a prefix when it ends in `*`; missing members match everything. */
export interface HttpMatch {
  readonly method?: string;
  readonly path?: string;
}

/** Every fault. All members are JSON, so that faults can also be set over the control port. */
export type Fault = Repeated &
  (
    | RefuseConnections
    | { readonly kind: 'reset-connections' }
    /** Accepted, then nothing is read or answered. */
    | { readonly kind: 'silent-connections' }
    /** All open connections stay open, but nothing is read or written. */
    | { readonly kind: 'freeze' }
    | CloseBeforeReply
    | { readonly kind: 'cut-frame'; readonly at: FramePosition; readonly on?: FrameKind }
    | { readonly kind: 'stall-frame'; readonly at: FramePosition; readonly ms: number; readonly on?: FrameKind }
    /** RESP output of the next connection (or all) in packets of this many bytes. */
    | { readonly kind: 'drip'; readonly bytes?: number }
    /** RESP output is held and sent in one piece after this many ms. */
    | { readonly kind: 'glue'; readonly ms: number }
    | { readonly kind: 'pong'; readonly reply: 'simple' | 'none' }
    /** Sent to the subscribers at once; without one, to the next right after its confirmation. */
    | { readonly kind: 'extra-frame'; readonly frame: 'pong' | 'subscribe' | 'unknown' }
    /** The next event is sent again under another channel name. */
    | { readonly kind: 'wrong-channel'; readonly channel?: string }
    /** Subscribers are not written to, as if their sockets were full, until the fault is cleared. */
    | { readonly kind: 'block-subscribers' }
    /** Each event is delivered twice. */
    | { readonly kind: 'duplicate' }
    /** The events of one pop are newest first. */
    | { readonly kind: 'reverse' }
    | HttpFault
    | AuthFileListFault
    | MutationFault
    /** Files that fail in an upload or delete of several. */
    | {
        readonly kind: 'partial';
        readonly on: 'upload' | 'delete';
        readonly names: readonly string[];
        readonly error?: string;
      }
    /** Listed, but missing for every request that names it; without a name: any file. */
    | { readonly kind: 'vanished-auth-file'; readonly name?: string }
    | {
        readonly kind: 'api-call';
        /** Exact, or a pattern with `*`. */
        readonly url?: string;
        readonly authIndex?: string;
        /** Duration in milliseconds; default: the usual one. */
        readonly delayMs?: number;
        /** `literal-token`: the target refuses the text `$TOKEN$` with 401. Default: the usual answer. */
        readonly result?: ApiCallAnswer | ApiCallFailure | ApiCallOuterAnswer | 'literal-token';
      }
    | { readonly kind: 'save-failure'; readonly text?: string }
  );

/** The port is closed for `forMs`, or until the fault is cleared. `times` is ignored. */
interface RefuseConnections {
  readonly kind: 'refuse-connections';
  readonly forMs?: number;
  /** Also closes the open connections. */
  readonly dropOpen?: boolean;
}

interface CloseBeforeReply {
  readonly kind: 'close-before-reply';
  readonly on: 'AUTH' | 'SUBSCRIBE' | 'POP' | 'HTTP';
  /** For HTTP. */
  readonly match?: HttpMatch;
  /** Whether the command still runs (a pop removes its events); default true. */
  readonly runs?: boolean;
}

export interface HttpFault {
  readonly kind: 'http';
  readonly match?: HttpMatch;
  /** Delay before anything else; by the simulator's clock. */
  readonly delayMs?: number;
  /** Answer instead of the real one; the handler does not run (nothing is popped). */
  readonly respond?: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    /** Text is sent unchanged, anything else as JSON. */
    readonly body?: JsonValue;
  };
  /** Change of the real answer: cut it short and close, compress it, or never finish it. */
  readonly answer?: 'truncate' | 'truncate-quietly' | 'gzip' | 'hang';
}

interface AuthFileListFault {
  readonly kind: 'auth-file-list';
  readonly shape: AuthFileListShape;
  /** For `wrapper`: any key; default `auth_files`. */
  readonly key?: string;
  /** For `huge` and `huge-first`; default 64 MiB. */
  readonly bytes?: number;
}

export type AuthFileListShape =
  /** More than 64 MiB, with the real rows before or after the rest. */
  | 'huge'
  | 'huge-first'
  | 'wrapper'
  | 'bare-array'
  /** The first row alone, without a list. */
  | 'single'
  | 'duplicate-names'
  | 'missing-index'
  /** Without runtime ids. */
  | 'missing-id'
  /** `auth_index` as a small number, by position. */
  | 'numeric-index'
  /** `authIndex`, `fileName`, and so on. */
  | 'camel-case'
  /** `disabled` as "true" or "false", as 1 or 0, or missing and only in `status`. */
  | 'disabled-as-text'
  | 'disabled-as-number'
  | 'disabled-as-status'
  /** Other spellings of the provider: `X_AI`, `Codex`. */
  | 'provider-spelling'
  | 'no-rows'
  | 'not-json';

export type MutationAnswerName =
  // 200 and:
  | 'empty'
  | 'text'
  | 'truncated'
  | 'trailing'
  | 'array'
  | 'too-large'
  | 'failed-list'
  | 'error-member'
  | 'success-false'
  | 'ok-false'
  | 'status-error'
  | 'status-failed'
  | 'partial-quiet'
  | 'success-true'
  | 'ok-true'
  | 'status-success'
  | 'unconfirmed'
  | 'empty-object'
  // 207, 400, 404, 409, 409 with the text of plugin rows, 500, 503
  | 'partial'
  | 'bad-request'
  | 'not-found'
  | 'conflict'
  | 'virtual-conflict'
  | 'server-error'
  | 'unavailable'
  // The connection ends, or stays silent until the client disconnects.
  | 'reset'
  | 'hang';

export type MutationAnswer = MutationAnswerName | { readonly status: number; readonly body?: JsonValue };

/** Whether a change is made, and independently what the answer is. */
interface MutationFault {
  readonly kind: 'mutation';
  /** Default: status and delete. */
  readonly on?: MutationKind;
  /** Id, file name or `auth_index`; default: any. */
  readonly account?: string;
  /** Only status requests for this value. */
  readonly disabled?: boolean;
  /** Delays by the simulator's clock, also after a disconnect: before the change, and between change and answer. */
  readonly delayBeforeMs?: number;
  readonly delayAfterMs?: number;
  /** Whether the change is made; default true. If false, the answer is success unless `answer` is set. */
  readonly applies?: boolean;
  /** Default: the real answer. */
  readonly answer?: MutationAnswer;
}
