/** Which server the page comes from: the manager, or the gateway itself, which has no more than its own management API. */
export type Mode = 'manager' | 'gateway';

/** Who is signed in where: whatever was asked or kept under one identity is not used under another. */
export interface Session {
  readonly key: string;
  /** API base the key belongs to; it is never sent anywhere else. */
  readonly base: string;
  readonly mode: Mode;
}
