import type { ApiCallAnswer, ApiCallFailure, JsonValue } from '../types.ts';

/** Where inside a RESP frame something happens: `*3`, `$len`, the payload, or between payload and CRLF. */
export type FramePosition = 'array-header' | 'length' | 'payload' | 'before-crlf';

/** `message` = a pub/sub event, `pop` = the answer of a pop. */
export type FrameKind = 'message' | 'pop' | 'any';

interface Repeated {
  /** How often it acts; default 1. */
  readonly times?: number | 'always';
  /** Occasions it lets pass before. */
  readonly skip?: number;
}

/** `path` is exact, or a prefix when it ends `*`; absent members match everything. */
export interface HttpMatch {
  readonly method?: string;
  readonly path?: string;
}

/** Everything that can go wrong. All members are JSON, so that faults can also be set over the control port. */
export type Fault = Repeated &
  (
    | RefuseConnections
    | { readonly kind: 'reset-connections' }
    /** Accepted, then nothing is read or answered. */
    | { readonly kind: 'silent-connections' }
    /** All open connections stay open, but nothing is read or written any more. */
    | { readonly kind: 'freeze' }
    | CloseBeforeReply
    | { readonly kind: 'cut-frame'; readonly at: FramePosition; readonly on?: FrameKind }
    | { readonly kind: 'stall-frame'; readonly at: FramePosition; readonly ms: number; readonly on?: FrameKind }
    /** RESP output of the next connection (or all) in packets of so many bytes. */
    | { readonly kind: 'drip'; readonly bytes?: number }
    /** RESP output is held and sent in one piece after so many ms. */
    | { readonly kind: 'glue'; readonly ms: number }
    | { readonly kind: 'pong'; readonly reply: 'simple' | 'none' }
    /** Sent to the subscribers at once; without one, to the next right after its confirmation. */
    | { readonly kind: 'extra-frame'; readonly frame: 'pong' | 'subscribe' | 'unknown' }
    /** The next event is sent again under another channel name. */
    | { readonly kind: 'wrong-channel'; readonly channel?: string }
    /** Subscribers are not written to, as if their sockets were full, until the fault is cleared. */
    | { readonly kind: 'block-subscribers' }
    /** Each event is handed over twice. */
    | { readonly kind: 'duplicate' }
    /** The events of one pop come newest first. */
    | { readonly kind: 'reverse' }
    | HttpFault
    | AuthFileListFault
    /** Files that fail in an upload or delete of several. */
    | {
        readonly kind: 'partial';
        readonly on: 'upload' | 'delete';
        readonly names: readonly string[];
        readonly error?: string;
      }
    /** Listed, but gone for every call that names it; without a name: any file. */
    | { readonly kind: 'vanished-auth-file'; readonly name?: string }
    | {
        readonly kind: 'api-call';
        readonly url?: string;
        readonly authIndex?: string;
        /** `literal-token`: the target refuses the text `$TOKEN$` with 401. */
        readonly result: ApiCallAnswer | ApiCallFailure | 'literal-token';
      }
    | { readonly kind: 'save-failure'; readonly text?: string }
  );

/** The port is closed; lasts `forMs`, or until the fault is cleared. `times` has no meaning. */
interface RefuseConnections {
  readonly kind: 'refuse-connections';
  readonly forMs?: number;
  /** Also ends the open connections. */
  readonly dropOpen?: boolean;
}

interface CloseBeforeReply {
  readonly kind: 'close-before-reply';
  readonly on: 'AUTH' | 'SUBSCRIBE' | 'POP' | 'HTTP';
  /** For HTTP. */
  readonly match?: HttpMatch;
  /** Whether the command still runs (a pop: its events are gone); default true. */
  readonly runs?: boolean;
}

export interface HttpFault {
  readonly kind: 'http';
  readonly match?: HttpMatch;
  /** Wait before anything else; by the simulator's clock. */
  readonly delayMs?: number;
  /** Answer instead of the real one; the handler does not run (nothing is popped). */
  readonly respond?: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    /** Text is sent as it is, anything else as JSON. */
    readonly body?: JsonValue;
  };
  /** Change of the real answer: cut it short and close, compress it, or never finish it. */
  readonly answer?: 'truncate' | 'truncate-quietly' | 'gzip' | 'hang';
}

interface AuthFileListFault {
  readonly kind: 'auth-file-list';
  readonly shape: 'huge' | 'wrapper' | 'bare-array' | 'duplicate-names' | 'missing-index';
  /** For `wrapper`: `auth_files`, `items`, `data`; default `auth_files`. */
  readonly key?: string;
  /** For `huge`; default 64 MiB. */
  readonly bytes?: number;
}
