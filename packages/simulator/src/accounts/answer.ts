import type { JsonValue } from '../json.ts';
import type { WindowView } from './account-types.ts';
import type { ApiCallAnswer } from './api-call-types.ts';

/** A request as it arrives at the provider. */
export interface ApiCallRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly data: string;
}

/** One account at its provider. */
export interface AccountModel {
  readonly state: string;
  readonly plan: string;
  readonly resetCredits: () => number;
  windows(nowMs: number): { readonly primary: WindowView | null; readonly secondary: WindowView | null };
  /** null: not a request this provider knows. */
  answer(request: ApiCallRequest, nowMs: number): ApiCallAnswer | null;
}

export function jsonAnswer(status: number, body: JsonValue): ApiCallAnswer {
  return { status_code: status, header: { 'Content-Type': ['application/json'] }, body: JSON.stringify(body) };
}

export function textAnswer(status: number, body: string): ApiCallAnswer {
  return { status_code: status, header: { 'Content-Type': ['text/plain; charset=utf-8'] }, body };
}
