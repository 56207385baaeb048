import type { AccountChange } from '../accounts/account-types.ts';
import type { AuthFileSpec } from '../accounts/auth-file-spec.ts';
import type { AccountEvent, RefreshedRequest } from '../accounts/event-types.ts';
import type { Fault } from '../faults/fault-types.ts';
import type { CallKind, MutationKind } from './call-kinds.ts';

export interface CallCount {
  readonly total: number;
  readonly inFlight: number;
  readonly maxInFlight: number;
}

export interface Activity {
  /** Kinds without a request are missing. */
  readonly byKind: Readonly<Partial<Record<CallKind, CallCount>>>;
  /** By `auth_index`. */
  readonly apiCallsByAccount: Readonly<Record<string, CallCount>>;
  /** Status, fields, upload and delete, by physical file. */
  readonly mutationsByFile: Readonly<Record<string, CallCount>>;
}

/** An operator's action beside the client. All members are JSON. */
export type OperatorAction =
  | { readonly do: 'disable' | 'enable' | 'delete'; readonly account: string }
  /** The whole file is deleted; other content takes its path. Same name and type keep the `auth_index`. */
  | { readonly do: 'replace'; readonly account: string; readonly by: AuthFileSpec | readonly AuthFileSpec[] }
  /** A new file, or one more account of an existing file. */
  | { readonly do: 'add'; readonly file: AuthFileSpec }
  | { readonly do: 'account'; readonly account: string; readonly change: AccountChange }
  | { readonly do: 'publish'; readonly account: string; readonly event: AccountEvent }
  | { readonly do: 'publish-refreshed'; readonly account: string; readonly request?: RefreshedRequest }
  | { readonly do: 'succeed-silently'; readonly account: string; readonly count?: number }
  | { readonly do: 'fault'; readonly fault: Fault }
  | { readonly do: 'advance'; readonly ms: number }
  /** Every open connection ends, the current request's too. */
  | { readonly do: 'disconnect' };

export interface OperatorHook {
  /** `mutation` = status, fields, upload and delete. */
  readonly on: CallKind | 'mutation' | 'any';
  /** Only requests that name this account or its file: by id, file name or `auth_index`. */
  readonly account?: string;
  /** Only status requests for this value. */
  readonly disabled?: boolean;
  /**
   * `before`: the request has arrived, nothing was read or changed. `after`: it was carried out and its answer is fixed, but not
   * sent. Default `after`: on a list that is the moment before the client's next step.
   */
  readonly when?: 'before' | 'after';
  /** Which of the matching requests, counted from 1; default 1. */
  readonly nth?: number;
  /** How many from there on; default 1. */
  readonly times?: number | 'always';
  readonly actions?: readonly OperatorAction[];
  /** Holds the request, after the actions, until `releaseHook`. */
  readonly hold?: boolean;
  /** In process only. */
  readonly run?: () => void | Promise<void>;
}

export interface ListedAccountChange {
  readonly id: string;
  readonly name: string;
  readonly authIndex: string;
  readonly what: 'disabled' | 'enabled' | 'deleted' | 'written' | 'fields';
  /** State before. */
  readonly wasDisabled: boolean;
}

/** One requested change and its outcome. */
export interface Mutation {
  readonly sequence: number;
  readonly atMs: number;
  /** null while it is in progress. */
  readonly finishedAtMs: number | null;
  readonly by: 'caller' | 'operator';
  readonly kind: MutationKind;
  /** '' for the operator, like all parts of a request. */
  readonly method: string;
  readonly target: string;
  /** Values of `Authorization` or `X-Management-Key`, and of `User-Agent`; '' when missing. */
  readonly authorization: string;
  readonly userAgent: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As sent, up to 64 KiB. */
  readonly body: string;
  /** Ids and file names in the request; empty for "all". */
  readonly names: readonly string[];
  readonly authIndex: string | null;
  /** For status: the requested value. */
  readonly disabled: boolean | null;
  /** Actual changes, in order; a change to the present state counts too. */
  readonly changes: readonly ListedAccountChange[];
  /** HTTP status of the answer; 0 = none. */
  readonly status: number;
  /** Body of the answer, up to 4 KiB. */
  readonly answer: string;
}

export interface MutationFilter {
  readonly by?: 'caller' | 'operator';
  readonly kind?: MutationKind;
  /** Id, file name or `auth_index`: of what is named or was changed. */
  readonly account?: string;
}
