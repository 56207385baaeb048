import { isJsonObject } from '@manager/core/json/json';
import { listAt } from '../../../platform/api/answer-list.ts';
import type { Client } from '../../../platform/api/client.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import type { SignInProvider } from '../providers.ts';

const ROOT = 'v0/management/';
const UPLOAD_TIMEOUT_MS = 60_000;
/** A gateway gives up waiting for a redirect after this time, ms. */
const CODE_FLOW_MS = 5 * 60_000;
/** A gateway forgets a sign-in after this time, ms. */
const SESSION_MS = 30 * 60_000;
const STATE = /^[A-Za-z0-9._-]{1,128}$/;

/** A sign-in that the gateway has begun. */
export interface StartedSignIn {
  /** Identifies it, and is its secret. */
  readonly state: string;
  /** The provider's page. */
  readonly url: string;
  /** Of a sign-in by device: there is no redirect to paste. */
  readonly device: { readonly userCode: string } | null;
  /** The gateway waits no longer than this, ms. */
  readonly lastsMs: number;
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Null when the answer is none: without a state nothing could be asked, and any other scheme than the web's is no page. */
export function readStart(answer: unknown): StartedSignIn | null {
  if (!isJsonObject(answer)) return null;
  const [state, url] = [text(answer.state), text(answer.url)];
  if (!STATE.test(state) || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return null;
  const device = answer.flow === 'device' ? { userCode: text(answer.user_code) } : null;
  const seconds = typeof answer.expires_in === 'number' && answer.expires_in > 0 ? answer.expires_in : null;
  const longest = device === null ? CODE_FLOW_MS : SESSION_MS;
  return { state, url, device, lastsMs: Math.min(SESSION_MS, seconds === null ? longest : seconds * 1000) };
}

export async function startSignIn(client: Client, { wire, listens }: SignInProvider): Promise<StartedSignIn> {
  const path = `${ROOT}${encodeURIComponent(wire)}-auth-url`;
  const started = readStart(await client.call<unknown>(listens ? `${path}?is_webui=true` : path));
  if (started !== null) return started;
  throw new ApiError('shape', 'the gateway sent no sign-in page', { path, atMs: Date.now() });
}

export type Status = { readonly kind: 'wait' | 'ok' } | { readonly kind: 'error'; readonly message: string };

/** @param state of a started sign-in: without one a gateway answers that all is well */
export async function askStatus(client: Client, state: string, signal: AbortSignal): Promise<Status> {
  const path = `${ROOT}get-auth-status`;
  const answer = await client.call<unknown>(`${path}?state=${encodeURIComponent(state)}`, { signal });
  const status = isJsonObject(answer) ? answer.status : null;
  if (status === 'wait' || status === 'ok') return { kind: status };
  if (status === 'error' && isJsonObject(answer)) return { kind: 'error', message: text(answer.error) };
  throw new ApiError('shape', 'the gateway sent no sign-in status', { path, atMs: Date.now() });
}

/** Hands the address over to which the provider has redirected the browser. */
export async function sendRedirect(client: Client, { wire }: SignInProvider, redirect: string): Promise<void> {
  await client.call<unknown>(`${ROOT}oauth-callback`, {
    method: 'POST',
    body: { provider: wire, redirect_url: redirect },
  });
}

/** False = the gateway had no such sign-in any more, because it ended or expired. */
export async function cancelSignIn(client: Client, state: string): Promise<boolean> {
  const path = `${ROOT}oauth-session?state=${encodeURIComponent(state)}`;
  const answer = await client.call<unknown>(path, { method: 'DELETE' });
  return isJsonObject(answer) && answer.cancelled === true;
}

export interface ImportedVertex {
  readonly project: string;
  readonly email: string;
  readonly location: string;
}

export async function importVertex(client: Client, file: File, location: string): Promise<ImportedVertex> {
  const body = new FormData();
  body.append('file', file);
  body.append('location', location);
  const answer = await client.call<unknown>(`${ROOT}vertex/import`, {
    method: 'POST',
    body,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  });
  const { project_id, email, location: stored } = isJsonObject(answer) ? answer : {};
  return { project: text(project_id), email: text(email), location: text(stored) };
}

export const listPlugins = (client: Client, signal: AbortSignal): Promise<readonly unknown[]> =>
  listAt(client, `${ROOT}plugins`, 'plugins', { signal });
