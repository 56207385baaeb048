export interface ApiCallAnswer {
  readonly status_code: number;
  readonly header?: Readonly<Record<string, string[]>>;
  readonly body: string;
}

/** The provider answers with what it was asked: method, authorization with the token filled in, and JSON body. */
export interface ApiCallEcho {
  readonly echo: true;
  readonly header: Readonly<Record<string, string[]>>;
}

/** Why the provider gives no answer, or no readable one. */
export type ApiCallFailure =
  /** 502, also after the gateway's own 60 s. */
  | 'request failed'
  | 'timeout'
  | 'failed to read response'
  /** 400. */
  | 'auth token not found'
  | 'auth token refresh failed'
  /** The connection ends without an answer. */
  | 'reset'
  /** 200 with a body that is empty, no JSON, two JSON values, an answer without a status, or one of 17 MiB. */
  | 'empty'
  | 'not json'
  | 'two values'
  | 'missing status'
  | 'too large';

/** The gateway's own answer to an api-call. */
export interface ApiCallOuterAnswer {
  readonly httpStatus: number;
  readonly text: string;
}
