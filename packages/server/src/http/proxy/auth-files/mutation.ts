import { AppError } from '@manager/core/contract/errors';
import type { AuthFileCoordinator } from '../../../gateway/accounts/coordinator.ts';
import type { ManualChanges } from '../../../gateway/claims/manual-changes.ts';
import { keepInMemory } from '../../listener/body-memory.ts';
import { routingPath } from '../../path.ts';
import { readUpTo } from '../plugin-rewrite.ts';
import { type AuthFileReader, type MutationPlan, type MutationRequest, type Override, UNCHANGED } from './plan.ts';
import { planDelete } from './plan-delete.ts';
import { planFields, planStatus } from './plan-patch.ts';
import { planWrite } from './plan-write.ts';
import { sendRevoked } from './revoked.ts';

const MAX_BODY_BYTES = 10 * 1024 * 1024 + 64 * 1024;
const PATH = /^\/v0\/management\/+auth-files(\/status|\/fields)?\/*$/;

/** True for requests that change auth files and therefore go through `runMutation`. */
export function isAuthFileMutation(method: string, path: string): boolean {
  return PATH.test(path) && (method === 'PATCH' || method === 'DELETE' || method === 'POST');
}

/**
 * Executes an auth-file request under the lock of its file: the target is resolved and verified against the live list, the
 * request rewritten to it, then sent.
 *
 * @throws AppError 400 invalid input, 404 unknown file, 408 lock wait abandoned, 409 changed or ambiguous target, 413 too
 * large.
 */
export async function runMutation(options: {
  readonly request: Request;
  readonly coordinator: AuthFileCoordinator;
  readonly reader: AuthFileReader;
  readonly manual: ManualChanges;
  send(override: Override & { readonly identityEncoding: boolean; readonly onSend: () => void }): Promise<Response>;
}): Promise<Response> {
  const { request, coordinator, manual } = options;
  const body = await readBody(request);
  const url = new URL(request.url);
  const plan = await planOf({ method: request.method, headers: request.headers, url, body });
  const work = async () => {
    const { override, decides } = await plan.resolve(options.reader);
    const send = (onSend = () => {}) => options.send({ body, ...override, identityEncoding: decides !== null, onSend });
    return decides === null ? send() : sendRevoked({ manual, ...decides, send, request });
  };
  return plan.files === null
    ? coordinator.withAll(request.signal, work)
    : coordinator.withFiles(plan.files, request.signal, work);
}

async function planOf(request: MutationRequest): Promise<MutationPlan> {
  const kind = PATH.exec(routingPath(request.url.href))?.[1] ?? '';
  if (request.method === 'PATCH')
    return kind === '/fields' ? planFields(request) : planStatus(request, kind === '/status');
  if (kind !== '') return UNCHANGED;
  return request.method === 'DELETE' ? planDelete(request) : planWrite(request);
}

async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  if (request.body === null) return new Uint8Array();
  const tooLarge = () => new AppError('auth_file_request_too_large');
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const { bytes, rest } = await readUpTo(request.body, MAX_BODY_BYTES, (size) => keepInMemory(request, size));
  if (rest) {
    await rest.cancel();
    throw tooLarge();
  }
  return new Uint8Array(bytes);
}
