/** A request to the manager, and what the answer must be. */
export interface Scenario {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** false = without the admin key. */
  readonly signedIn?: boolean;
  readonly status: number;
  readonly has?: readonly string[];
  /** The whole answer; a strict schema rejects unknown members. */
  readonly shape?: { parse(answer: unknown): unknown };
}

/** Contains every event. */
export const range = { from_ms: 1, to_ms: 4_102_444_800_000 };
