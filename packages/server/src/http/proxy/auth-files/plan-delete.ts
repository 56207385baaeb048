import { AppError } from '@manager/core/contract/errors';
import { readIdentityHeader } from './identity.ts';
import { memberText, readJsonObject } from './json-body.ts';
import { namedScope } from './named-scope.ts';
import type { MutationPlan, MutationRequest } from './plan.ts';
import { resolveFile } from './resolve.ts';

const PHYSICAL_NAME_HEADER = 'x-cpamp-auth-file-physical-name';
const IDENTITIES_HEADER = 'x-cpamp-auth-file-delete-identities';

/** DELETE …/auth-files: of all, of names in query or body, or of one file whose members are given and verified. */
export function planDelete(request: MutationRequest): MutationPlan {
  if (isTruthy(request.url.searchParams.get('all'))) return DELETES_ALL;
  const names = request.url.searchParams.getAll('name').map((name) => name.trim());
  const header = request.headers.get(IDENTITIES_HEADER);
  const physicalName = (request.headers.get(PHYSICAL_NAME_HEADER) ?? '').trim();
  if (header === null) {
    const bodyNames = names.length > 0 ? [] : namesInBody(request.body);
    if (physicalName !== '') {
      const file = decodeName(physicalName);
      return unverified([file], [file, ...names, ...bodyNames]);
    }
    if (names.length > 0) return unverified(null, names);
    return bodyNames.length > 0 ? unverified(bodyNames, bodyNames) : DELETES_ALL;
  }

  const identities = readIdentityHeader(header);
  const [name = ''] = names;
  if (names.length !== 1 || name === '')
    throw new AppError('auth_file_request_invalid', { message: 'name: exactly one expected' });
  const file = physicalName === '' ? (identities[0]?.authFileName ?? '') : decodeName(physicalName);
  if (identities.some((identity) => identity.authFileName !== file))
    throw new AppError('auth_file_selection_conflict', { message: 'the identities belong to another file' });
  return {
    files: [file],
    async resolve(reader) {
      const members = resolveFile(await reader.list(), identities);
      const [only] = members;
      const isAccount = only !== undefined && members.length === 1 && name === only.runtimeId;
      if (name !== file && !isAccount)
        throw new AppError('auth_file_selection_conflict', {
          message: 'name: neither the file nor its only account',
        });
      const search = new URLSearchParams(request.url.searchParams);
      search.set('name', name === file ? file : (only?.runtimeId ?? file));
      return {
        override: { search: search.toString() },
        decides: { scope: { kind: 'files', fileNames: [file] }, wanted: { kind: 'deletion' } },
      };
    },
  };
}

/** Also when the names are unknown. */
const DELETES_ALL: MutationPlan = {
  files: null,
  resolve: async () => ({ override: {}, decides: { scope: { kind: 'all' }, wanted: { kind: 'deletion' } } }),
};

/** @param files to lock, null = all */
function unverified(files: readonly string[] | null, names: readonly string[]): MutationPlan {
  return {
    files,
    resolve: async (reader) => ({
      override: {},
      decides: { scope: await namedScope(reader, [...new Set(names)], 'file'), wanted: { kind: 'deletion' } },
    }),
  };
}

function isTruthy(value: string | null): boolean {
  return value !== null && ['true', '1', '*'].includes(value.trim().toLowerCase());
}

/** A header value is ASCII: names beyond it arrive percent-encoded. */
function decodeName(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function namesInBody(body: Uint8Array): string[] {
  const object = readJsonObject(body);
  if (object === null) return [];
  const names = Array.isArray(object.names) ? object.names : [];
  return [memberText(object, 'name'), ...names]
    .filter((name) => typeof name === 'string')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
