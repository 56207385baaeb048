/** Which server the page comes from: the manager, or the gateway itself, which has only its management API. */
export type Mode = 'manager' | 'gateway';

/** Identity of a sign-in: data loaded or stored under one is not used under another. */
export interface Session {
  readonly key: string;
  /** API base the key belongs to; it is never sent anywhere else. */
  readonly base: string;
  readonly mode: Mode;
}
