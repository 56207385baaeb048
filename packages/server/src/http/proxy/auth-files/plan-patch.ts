import { AppError } from '@manager/core/contract/errors';
import { type ExpectedIdentity, readBodyIdentities, readIdentityHeader } from './identity.ts';
import { memberText, readJsonObject, writeJson } from './json-body.ts';
import { type MutationPlan, type MutationRequest, UNCHANGED } from './mutation.ts';
import { resolveCredential, resolveFile } from './resolve.ts';

const IDENTITY_HEADER = 'x-cpamp-auth-file-mutation-identity';

/** PATCH …/auth-files/fields: with an identity, the name is rewritten to the runtime id of that very credential. */
export function planFields(request: MutationRequest): MutationPlan {
  const header = request.headers.get(IDENTITY_HEADER);
  const fields = readJsonObject(request.body);
  if (header === null || fields === null) return UNCHANGED;
  const identities = readIdentityHeader(header);
  const [identity] = identities;
  if (!identity || identities.length !== 1) throw badRequest('exactly one identity is needed');
  const name = memberText(fields, 'name');
  if (name === '') throw badRequest('name: missing');
  return {
    files: [identity.name],
    async resolve(reader) {
      const { row, scope } = resolveCredential(await reader.list(), identity.runtimeId || identity.name, identity);
      if (scope !== 'credential') throw conflict('the file holds several credentials');
      if (name !== row.runtimeId && name !== row.name) throw conflict('name: not the identified credential');
      return { body: writeJson({ ...fields, name: row.runtimeId }) };
    },
  };
}

/** PATCH …/auth-files/status, and PATCH …/auth-files with `disabled`. */
export function planStatus(request: MutationRequest, isStatusPath: boolean): MutationPlan {
  const fields = readJsonObject(request.body);
  if (fields === null || (!isStatusPath && !Object.hasOwn(fields, 'disabled'))) return UNCHANGED;
  const forwarded = Object.fromEntries(Object.entries(fields).filter(([key]) => !key.startsWith('cpamp_')));
  if (fields.cpamp_source_file === true) return planSourceFile(fields, forwarded);

  const physicalName = memberText(fields, 'cpamp_physical_name');
  if (physicalName === '') return { files: null, resolve: async () => ({ body: writeJson(forwarded) }) };
  const selector = memberText(fields, 'name');
  const expected: ExpectedIdentity = {
    name: physicalName,
    runtimeId: memberText(fields, 'cpamp_runtime_id'),
    authIndex: memberText(fields, 'auth_index'),
    provider: memberText(fields, 'cpamp_provider'),
    accountId: memberText(fields, 'cpamp_account_id'),
    accountSnapshot: memberText(fields, 'cpamp_account_snapshot'),
  };
  return {
    files: [physicalName],
    async resolve(reader) {
      const { row, scope } = resolveCredential(
        await reader.list(),
        selector || expected.runtimeId || physicalName,
        expected,
      );
      if (scope !== 'credential') throw conflict('the change would affect every credential of the file');
      const { auth_index: _, ...rest } = forwarded;
      const target = { ...rest, name: isStatusPath ? row.runtimeId : selector };
      return { body: writeJson(row.authIndex === '' ? target : { ...target, auth_index: row.authIndex }) };
    },
  };
}

/** The explicit request to switch a whole file: every member is verified, then the physical name is the selector. */
function planSourceFile(fields: Record<string, unknown>, forwarded: Record<string, unknown>): MutationPlan {
  if (fields.cpamp_source_identities === undefined) throw badRequest('cpamp_source_identities: missing');
  const identities = readBodyIdentities(fields.cpamp_source_identities);
  const file = identities[0]?.name ?? '';
  return {
    files: [file],
    async resolve(reader) {
      resolveFile(await reader.list(), identities);
      const { auth_index: _, ...rest } = forwarded;
      return { body: writeJson({ ...rest, name: file }) };
    },
  };
}

function badRequest(message: string): AppError {
  return new AppError('request_failed', { status: 400, message });
}

function conflict(message: string): AppError {
  return new AppError('request_failed', { status: 409, message });
}
