import type { JsonObject } from '../json.ts';

export type AccountEventKind =
  /** Codex: with the headers of the account's windows. */
  | 'success'
  /** Codex 429 with `usage_limit_reached`. */
  | 'usage-limit'
  /** xAI 429 with `subscription:free-usage-exhausted`. */
  | 'free-usage-exhausted'
  /** 429 without a quota, with `Retry-After`. */
  | 'rate-limited'
  /** 503. */
  | 'overloaded'
  /** 499: the client disconnected. */
  | 'cancelled'
  /** The provider broke its stream off: `failed` with status 200; codex 408. */
  | 'broken-off'
  /** 401 with `token_revoked`. */
  | 'token-revoked'
  /** 401 with `auth_unavailable`. */
  | 'credentials-invalid'
  /** 401 and 403 without a body. */
  | 'unauthorized'
  | 'forbidden'
  /** 401 of type `authentication_error` with an unknown code. */
  | 'authentication-error'
  /** 401 with `account_deactivated`, in the body or only in a header. */
  | 'account-deactivated'
  | 'account-deactivated-header'
  /** 402 with `deactivated_workspace`. */
  | 'deactivated-workspace'
  /** xAI 403 with `permission_denied`. */
  | 'permission-denied'
  /** xAI 402, credits used up. */
  | 'spending-limit';

export interface AccountEvent {
  readonly kind: AccountEventKind;
  /** Time of the event; default now. */
  readonly atMs?: number;
  readonly model?: string;
  /** 8 hex digits; default: the next of the seed. */
  readonly requestId?: string;
  /** `usage-limit`: where the limit is named; default both. */
  readonly marks?: 'headers' | 'body' | 'both';
  /** `usage-limit`: the full window that is named; default primary. */
  readonly window?: 'primary' | 'secondary';
  /** Seconds to the reset; null = not named. `usage-limit` default 7200, `free-usage-exhausted` none. */
  readonly resetsInSeconds?: number | null;
  /** `free-usage-exhausted`: tokens of the allowance. */
  readonly tokens?: { readonly actual: number; readonly limit: number };
  /** HTTP status instead of the usual one. */
  readonly status?: number;
  /** Failure body instead of the usual one. */
  readonly body?: string;
  /** Additional response headers. */
  readonly headers?: Readonly<Record<string, string[]>>;
  /** Members that override the event's. */
  readonly members?: JsonObject;
}

/** A 401 that the gateway answers by a new token and a second attempt. */
export interface RefreshedRequest {
  readonly model?: string;
  /** Of both attempts; default: the next of the seed. */
  readonly requestId?: string;
  /** From the refusal to the success, by the simulator's clock; default 0. */
  readonly afterMs?: number;
  /** Time of the refusal; then the success is not waited for. Default now. */
  readonly atMs?: number;
  /** Whether the list shows the time of the new token; default true. */
  readonly listed?: boolean;
}

export interface PublishedEvent {
  readonly requestId: string;
  readonly atMs: number;
  readonly authIndex: string;
  /** As published by the newest version; older profiles publish part of it. */
  readonly event: JsonObject;
}
