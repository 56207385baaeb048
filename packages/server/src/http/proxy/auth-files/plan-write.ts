import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '@manager/core/contract/errors';
import { readIdentityHeader } from './identity.ts';
import type { MutationPlan, MutationRequest } from './plan.ts';
import { UNCHANGED } from './plan.ts';
import { resolveFile } from './resolve.ts';

const IDENTITIES_HEADER = 'x-cpamp-auth-file-write-identities';
const CONTENT_HEADER = 'x-cpamp-auth-file-write-content-sha256';

/**
 * POST …/auth-files: an upload. A verified write replaces one file only while it still has the given members and content.
 */
export async function planWrite(request: MutationRequest): Promise<MutationPlan> {
  const names = await uploadedNames(request);
  const identityHeader = request.headers.get(IDENTITIES_HEADER);
  const contentHeader = request.headers.get(CONTENT_HEADER);
  if (identityHeader === null && contentHeader === null) return names.length === 0 ? UNCHANGED : unverified(names);

  const [name] = names;
  if (identityHeader === null || contentHeader === null || name === undefined || names.length !== 1)
    throw badRequest('a verified write needs exactly one file, its identities and its content digest');
  const digest = contentHeader.trim().toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digest)) throw badRequest('the content digest must be 64 hexadecimal digits');
  const identities = readIdentityHeader(identityHeader);
  return {
    files: [name],
    async resolve(reader) {
      resolveFile(await reader.list(), identities);
      if (identities[0]?.authFileName !== name) throw new AppError('auth_file_changed');
      const current = createHash('sha256')
        .update(await reader.download(name))
        .digest();
      if (!timingSafeEqual(current, Buffer.from(digest, 'hex'))) throw new AppError('auth_file_changed');
      // It keeps `disabled` as it is.
      return { override: {}, decides: null };
    },
  };
}

function unverified(files: readonly string[]): MutationPlan {
  const decides = { scope: { kind: 'files', fileNames: files }, wanted: { kind: 'content' } } as const;
  return { files, resolve: async () => ({ override: {}, decides }) };
}

/**
 * File names of a multipart upload, or the `name` of a raw one. Undecodable uploads have none; the gateway rejects them.
 */
async function uploadedNames(request: MutationRequest): Promise<string[]> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^\s*multipart\/form-data/i.test(type)) {
    const name = (request.url.searchParams.get('name') ?? '').trim();
    return name === '' ? [] : [name];
  }
  try {
    const form = await new Response(request.body, { headers: { 'content-type': type } }).formData();
    const names = [...form.values()].flatMap((value) => (typeof value === 'string' ? [] : [value.name]));
    return [...new Set(names.filter((name) => name !== ''))];
  } catch {
    return [];
  }
}

function badRequest(message: string): AppError {
  return new AppError('auth_file_request_invalid', { message });
}
