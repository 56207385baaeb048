import type { AccountChange, AccountView } from './accounts/account-types.ts';
import type { ApiCallAnswer, ApiCallEcho, ApiCallFailure, ApiCallOuterAnswer } from './accounts/api-call-types.ts';
import type { AuthFileSpec } from './accounts/auth-file-spec.ts';
import type { AccountEvent, PublishedEvent, RefreshedRequest } from './accounts/event-types.ts';
import type { Fault } from './faults/fault-types.ts';
import type { JsonObject } from './json.ts';
import type { Activity, Mutation, MutationFilter, OperatorAction, OperatorHook } from './management/activity-types.ts';

/** Name of a version profile; `v6.9` and `latest` are aliases of `v6.9.38` and `v7.2.140`. */
export type ProfileName =
  | 'v6.9.38'
  | 'v6.10.8'
  | 'v7.0.7'
  | 'v7.1.17'
  | 'v7.1.39'
  | 'v7.2.140'
  | 'http-only'
  | 'off'
  | 'home';

export type ProfileAlias = ProfileName | 'v6.9' | 'latest';

/** What one version of the gateway does; behavior depends on these members alone. */
export interface Profile {
  readonly name: ProfileName;
  /** Without the leading `v`. */
  readonly version: string;
  /** Management API: served, switched off, or taken over by a cluster. */
  readonly management: 'on' | 'off' | 'cluster';
  /** Answer to a connection that starts with a RESP byte. */
  readonly resp: 'serve' | 'auth-disabled' | 'cluster-text' | 'close' | 'http-400';
  readonly pubsub: boolean;
  readonly errorsChannel: boolean;
  /** `support_refresh` and `refresh` messages. */
  readonly controlMessages: boolean;
  readonly httpQueue: boolean;
  readonly popKeyCheck: boolean;
  /** `name` and `auth_index` filters of the auth-file list. */
  readonly filters: boolean;
  /** Unknown management paths are answered after authentication. */
  readonly authenticatesUnknownPaths: boolean;
  /** Optional management features of this version, by name. */
  readonly endpoints: ReadonlySet<string>;
  /** Dotted member paths of an event, for example `tokens.input_tokens`. */
  readonly payloadMembers: ReadonlySet<string>;
}

/** A usage event in the shape of v7.2.140; older profiles publish part of it. */
export type EventObject = JsonObject;

/** One event of `makeEvents`: the text as published, and what the counters need. */
export interface GeneratedEvent {
  readonly text: string;
  readonly timestampMs: number;
  readonly authIndex: string;
  readonly failed: boolean;
  /** Present when the generator numbers its events; also the `request_id`, as 8 hex digits. */
  readonly number?: number;
}

/** An object is reduced to the profile's members; text and bytes are published unchanged. */
export type Publishable = EventObject | GeneratedEvent | string | Uint8Array;

export interface PublishOptions {
  /** Copies; default 1. */
  readonly count?: number;
  /** Per second. Without it all copies are published before the call returns. */
  readonly rate?: number;
  /** Number under which `deliveries()` accounts for the event; incremented for copies. */
  readonly number?: number;
}

export interface ApiCallEntry {
  readonly method: string;
  /** Exact URL, or a pattern with `*`. */
  readonly url: string;
  readonly authIndex?: string;
  /** The answer, or the failure. */
  readonly result: ApiCallAnswer | ApiCallEcho | ApiCallFailure | ApiCallOuterAnswer;
}

/** The log of one request; the name ends in its id. */
export interface RequestLog {
  readonly name: string;
  readonly text: string;
}

export interface TlsOptions {
  /** Offer `http/1.1` by ALPN; default true. */
  readonly alpn?: boolean;
  /** Subject and alternative name of the self-signed certificate; default `localhost` and 127.0.0.1. */
  readonly hostName?: string;
}

export interface SimulatorOptions {
  /** Default `latest`. */
  readonly profile?: ProfileAlias;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Second loopback port with the control interface as HTTP JSON; 0 = any free port; absent = none. */
  readonly controlPort?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default `sim-management-key`; '' = no key configured. */
  readonly managementKey?: string;
  /** Seed of ids and states; default 1. */
  readonly seed?: number;
  /** `controlled` only moves by `advance`; default `real`. */
  readonly clock?: 'real' | 'controlled';
  /** Start of a controlled clock; default 2026-09-01T08:15:00Z. */
  readonly startMs?: number;
  /** `allow-remote`; default true. Local clients pass without it. */
  readonly remoteAllowed?: boolean;
  /** Address that clients count as; default: that of the socket. */
  readonly callerAddress?: string;
  /** `usage-statistics-enabled`; default true (the real default is false). */
  readonly statsEnabled?: boolean;
  /** `redis-usage-queue-retention-seconds`; default 60; null = the key is absent. */
  readonly retentionSeconds?: number | null;
  /** A number makes that many synthetic files; default: the rows of the fixture `auth-files.json`. */
  readonly authFiles?: readonly AuthFileSpec[] | number;
  /** `name` and `auth_index` filter the list, where the profile can; default true. */
  readonly listFilters?: boolean;
  /** Milliseconds every api-call takes, by the simulator's clock; default 0. */
  readonly apiCallLatencyMs?: number;
  /** Until a change of a status shows in the status word, too; default 50. */
  readonly statusWordDelayMs?: number;
  /** Client keys of the model API; default two synthetic ones. */
  readonly apiKeys?: readonly string[];
  /** File served as `/management.html`, read for each request; missing = 404, as without a downloaded panel. */
  readonly panelFile?: string;
  /** Text of `config.yaml`; wins over the options it contains. */
  readonly configYaml?: string;
  readonly tls?: boolean | TlsOptions;
  /** Default true; without it nothing outside can be reached: release server, plugin registry, device sign-in. */
  readonly internet?: boolean;
  /** Plugins at the start; default: the one of the fixture. */
  readonly installedPlugins?: readonly string[];
  /** Management requests are written to the log, while logging to files is on; default false. */
  readonly accessLog?: boolean;
  /** Logs of failed requests, newest first; default: the one of the fixture. */
  readonly requestLogs?: readonly RequestLog[];
  /** Newest requests the recorder keeps; default 20 000. */
  readonly recordLimit?: number;
}

/** One HTTP request or RESP command, in order of arrival. */
export interface RecordedRequest {
  readonly sequence: number;
  readonly atMs: number;
  readonly connectionId: number;
  readonly protocol: 'http' | 'resp';
  /** HTTP method, or RESP command in capitals. */
  readonly method: string;
  /** Request target as sent; '' for RESP. */
  readonly target: string;
  /** Path of the target as sent, without query; '' for RESP. */
  readonly path: string;
  /** Names as sent; values byte by byte, as Latin-1. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Arguments of a RESP command. */
  readonly args: readonly string[];
  /** Up to 64 KiB. */
  readonly body: string;
  /** All bytes of the body read so far. */
  readonly bodyBytes: number;
  /** HTTP status; 0 without one, and for RESP. */
  readonly status: number;
  /** RESP reply of one line, for example `+OK`; else ''. */
  readonly reply: string;
  /** Events that it took off the queue. */
  readonly consumedEvents: number;
  /** The client disconnected before the answer was complete. */
  readonly aborted: boolean;
  /** The answer was written completely. */
  readonly finished: boolean;
}

export interface RequestFilter {
  readonly protocol?: 'http' | 'resp';
  readonly method?: string;
  /** Exact path, or a prefix when it ends `*`. */
  readonly path?: string;
}

export type LossReason =
  /** Older than the retention when the queue was read. */
  | 'expired'
  /** In the buffer of a subscriber that was closed because it was full. */
  | 'overflow'
  /** In the buffer of a subscriber whose connection ended. */
  | 'disconnected'
  /** In the queue or a buffer when the gateway restarted or management was switched off. */
  | 'cleared'
  /** Publishing was off. */
  | 'not-published'
  /** Left out by a fault. */
  | 'fault';

export type EventFate =
  | { readonly state: 'queued' | 'buffered' }
  | { readonly state: 'delivered' | 'popped'; readonly atMs: number }
  | { readonly state: 'lost'; readonly reason: LossReason; readonly atMs: number };

export interface LostEvent {
  readonly number: number;
  readonly publishedAtMs: number;
  readonly atMs: number;
  readonly reason: LossReason;
}

/** Outcomes of the published events; each is counted once. */
export interface Deliveries {
  readonly published: number;
  /** Written to at least one subscriber. */
  readonly delivered: number;
  /** Returned by a pop. */
  readonly popped: number;
  readonly lost: Readonly<Record<LossReason, number>>;
  /** Sum of `lost`. */
  readonly dropped: number;
  readonly queued: number;
  readonly buffered: number;
  /** Only on request: the numbered events that were lost, in order of loss. */
  readonly lostEvents?: readonly LostEvent[];
}

export interface SubscriberInfo {
  readonly connectionId: number;
  readonly channel: string;
  /** Messages not yet written. */
  readonly buffered: number;
}

export interface BanInfo {
  readonly address: string;
  readonly failures: number;
  /** null without a ban. */
  readonly bannedUntilMs: number | null;
}

export interface TrafficOptions {
  /** Events per second. */
  readonly rate: number;
  /** Stop after this many; missing = until stopped. */
  readonly total?: number;
  readonly events: Iterator<GeneratedEvent>;
  /** After every this many events, one more success of the same account that has no event. */
  readonly silentEvery?: number;
}

export interface Traffic {
  sent(): number;
  /** No events follow. */
  stop(): void;
  /** All `total` events are published, or traffic was stopped. */
  readonly done: Promise<void>;
}

/** A running gateway. Methods take effect at once and do not wait for the network, unless their comment says so. */
export interface Simulator {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** '' without a control port. */
  readonly controlUrl: string;
  /** PEM of the self-signed certificate; '' without TLS. */
  readonly certificate: string;

  /** Publishes and resolves to the number of copies; without `rate` everything is published before it returns. */
  publish(event: Publishable, options?: PublishOptions): Promise<number>;
  /** Sends to the subscribers of `errors`; without an argument the first sample. */
  publishError(event?: JsonObject | string): void;
  /** `{"refresh":true}` to every subscriber of `usage`, where the profile knows it. */
  refresh(options?: { readonly count?: number; readonly rate?: number }): Promise<void>;
  startTraffic(options: TrafficOptions): Traffic;

  now(): number;
  /** Moves the clock and runs what is due (retention, bans, stalls, deadlines). */
  advance(ms: number): void;

  setStats(enabled: boolean): void;
  /** null removes the key. */
  setRetention(seconds: number | null): void;
  /** '' removes the key: management off, queue cleared, subscribers closed. */
  setKey(key: string): void;
  setRemote(allowed: boolean): void;
  /** null = the socket's address. */
  setCallerAddress(address: string | null): void;
  setProfile(profile: ProfileAlias): void;
  profile(): Profile;
  /** All connections close, counters restart at zero; with `downMs` the port refuses for this long. */
  restart(options?: { readonly dropQueue?: boolean; readonly downMs?: number }): void;
  disconnect(what: 'subscribers' | 'resp' | 'http' | 'all'): number;

  queueLength(): number;
  subscribers(): readonly SubscriberInfo[];
  bans(): readonly BanInfo[];
  requests(filter?: RequestFilter): readonly RecordedRequest[];
  clearRequests(): void;
  deliveries(options?: { readonly lostEvents?: boolean }): Deliveries;
  /** Outcome of a numbered event. */
  fate(number: number): EventFate | undefined;

  /** Returns its id. One-shot unless `times` is set. */
  fault(fault: Fault): number;
  clearFaults(id?: number): void;

  /** List rows as GET `/auth-files` shows them. */
  authFiles(): readonly JsonObject[];
  addAuthFile(file: AuthFileSpec): void;
  removeAuthFile(name: string): boolean;
  /** Later entries win, also over the accounts. */
  addApiCall(entry: ApiCallEntry): void;
  setListFilters(enabled: boolean): void;

  // A `account` is a runtime id, a file name or an `auth_index`; where it matches several, the first counts.
  /** The provider account now; null without one. */
  account(account: string): AccountView | null;
  /** Throws where there is no such account, or no provider account behind it. */
  setAccount(account: string, change: AccountChange): void;
  /** For all api-calls that have no latency of their own. */
  setApiCallLatency(ms: number): void;
  /** An operator's change, at once. Throws without such an account. */
  operate(action: OperatorAction): void;
  /** Runs operator actions when a request arrives or before it is answered; returns an id. One-shot unless `times` is set. */
  hook(hook: OperatorHook): number;
  /** How often a hook has run; null = unknown or cleared. */
  hookFired(id: number): number | null;
  /** Releases the requests that a hook with `hold` keeps. */
  releaseHook(id: number): void;
  /** Without an id: all; held requests continue. */
  clearHooks(id?: number): void;
  /** Requests by kind since the start or `clearActivity`, and the highest number in parallel. */
  activity(): Activity;
  clearActivity(): void;
  /** Every requested change, by clients and by the operator, oldest first. */
  mutations(filter?: MutationFilter): readonly Mutation[];
  clearMutations(): void;
  /** Publishes a usage event of an account. Throws without such an account. */
  publishFor(account: string, event: AccountEvent): Promise<PublishedEvent>;
  /**
   * A 401 of the provider that the client never sees: its event, a new token in the file, and the event of the second attempt,
   * which succeeds. Both have the same request id.
   */
  publishRefreshed(account: string, request?: RefreshedRequest): Promise<readonly PublishedEvent[]>;
  /** A new token in the file, as for a 401 or before the token expires; without an event. */
  refreshToken(account: string, options?: { readonly atMs?: number; readonly listed?: boolean }): void;
  /**
   * Successes that count for their account and have no event, like a streamed answer without usage; default one. The account may
   * also be the `auth_index` of a configured key.
   */
  succeedSilently(account: string, count?: number): void;
  config(): JsonObject;
  configYaml(): string;
  /** Ends a sign-in; `email` = the account that signed in, else a new one. */
  completeOAuth(state: string, result: 'ok' | { readonly error: string } | { readonly email: string }): boolean;
  writeLog(line: string): void;
  /** The log of a failed request, by the name that the gateway gives it; `error-logs-max-files` are kept. */
  writeRequestLog(log: RequestLog): void;
  rotateLog(): void;

  stop(): Promise<void>;
}
