import { accountIdentity, identityOf } from '@manager/core/accounts/identity';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import { AppError } from '@manager/core/contract/errors';
import { WANTS_ANYTHING, type WantedChange } from '../../../gateway/claims/wanted-change.ts';
import { readBodyIdentities, readIdentityHeader } from './identity.ts';
import { memberText, readJsonObject, writeJson } from './json-body.ts';
import { namedScope } from './named-scope.ts';
import type { MutationPlan, MutationRequest, Override, ResolvedMutation } from './plan.ts';
import { UNCHANGED } from './plan.ts';
import { resolveAccount, resolveFile } from './resolve.ts';

const IDENTITY_HEADER = 'x-cpamp-auth-file-mutation-identity';

/** PATCH …/auth-files/fields: with an identity, the name is rewritten to the runtime id of exactly that account. */
export function planFields(request: MutationRequest): MutationPlan {
  const header = request.headers.get(IDENTITY_HEADER);
  const fields = readJsonObject(request.body);
  if (header === null || fields === null) return fieldsOf(fields);
  const identities = readIdentityHeader(header);
  const [identity] = identities;
  if (!identity || identities.length !== 1) throw badRequest('exactly one identity expected');
  const name = memberText(fields, 'name');
  if (name === '') throw badRequest('name: missing');
  return {
    files: [identity.authFileName],
    async resolve(reader) {
      const { row, scope } = resolveAccount(await reader.list(), identity.runtimeId || identity.authFileName, identity);
      if (scope !== 'credential')
        throw new AppError('auth_file_shared', { message: 'the file holds several accounts' });
      if (name !== row.runtimeId && name !== row.name)
        throw new AppError('auth_file_selection_conflict', { message: 'name: not the identified account' });
      return {
        override: { body: writeJson({ ...fields, name: row.runtimeId }) },
        decides: changesStatus(fields) ? decidesAbout(row, fields) : null,
      };
    },
  };
}

/** Without an identity nothing is verified. */
function fieldsOf(fields: Record<string, unknown> | null): MutationPlan {
  if (fields === null) return UNCHANGED;
  return changesStatus(fields) ? unverified(fields, {}) : { files: null, resolve: async () => KEEPS_STATUS };
}

const KEEPS_STATUS = { override: {}, decides: null };

function unverified(fields: Record<string, unknown>, override: Override): MutationPlan {
  const names = spellings(fields, 'name') === 1 ? [memberText(fields, 'name')] : [];
  return {
    files: null,
    async resolve(reader) {
      const scope = await namedScope(reader, names, 'credential');
      return { override, decides: { scope, wanted: wantedSwitch(fields, names, scope.kind === 'all') } };
    },
  };
}

function decidesAbout(row: ListedAccount, fields: Record<string, unknown>): ResolvedMutation['decides'] {
  return {
    scope: { kind: 'accounts', accounts: [identityOf(row)] },
    wanted: wantedSwitch(fields, [row.runtimeId]),
  };
}

function changesStatus(fields: Record<string, unknown>): boolean {
  return spellings(fields, 'disabled') > 0;
}

/** @param amongAll it names an account that the list does not show, or none */
function wantedSwitch(fields: Record<string, unknown>, names: readonly string[], amongAll = false): WantedChange {
  if (!changesStatus(fields)) return WANTS_ANYTHING;
  const isClear = spellings(fields, 'disabled') === 1 && typeof fields.disabled === 'boolean';
  return { kind: 'switch', disabled: isClear ? fields.disabled === true : 'unclear', names, amongAll };
}

/** The gateway ignores the case of member names. */
function spellings(fields: Record<string, unknown>, member: string): number {
  return Object.keys(fields).filter((key) => key.toLowerCase() === member).length;
}

/** PATCH …/auth-files/status, and PATCH …/auth-files with `disabled`. */
export function planStatus(request: MutationRequest, isStatusPath: boolean): MutationPlan {
  const fields = readJsonObject(request.body);
  if (fields === null) return UNCHANGED;
  if (!isStatusPath && !changesStatus(fields)) return fieldsOf(fields);
  const forwarded = Object.fromEntries(Object.entries(fields).filter(([key]) => !key.startsWith('cpamp_')));
  if (fields.cpamp_source_file === true) return planSourceFile(fields, forwarded);

  const physicalName = memberText(fields, 'cpamp_physical_name');
  if (physicalName === '') return unverified(fields, { body: writeJson(forwarded) });
  const selector = memberText(fields, 'name');
  const expected = accountIdentity({
    authFileName: physicalName,
    runtimeId: memberText(fields, 'cpamp_runtime_id'),
    authIndex: memberText(fields, 'auth_index'),
    provider: memberText(fields, 'cpamp_provider'),
    accountId: memberText(fields, 'cpamp_account_id'),
    accountSnapshot: memberText(fields, 'cpamp_account_snapshot'),
  });
  return {
    files: [physicalName],
    async resolve(reader) {
      const { row, scope } = resolveAccount(
        await reader.list(),
        selector || expected.runtimeId || physicalName,
        expected,
      );
      if (scope !== 'credential') throw new AppError('auth_file_shared');
      const { auth_index: _, ...rest } = forwarded;
      const target = { ...rest, name: isStatusPath ? row.runtimeId : selector };
      return {
        override: { body: writeJson(row.authIndex === '' ? target : { ...target, auth_index: row.authIndex }) },
        decides: decidesAbout(row, fields),
      };
    },
  };
}

/** The explicit request to switch a whole file: every member is verified, then the physical name is the selector. */
function planSourceFile(fields: Record<string, unknown>, forwarded: Record<string, unknown>): MutationPlan {
  if (fields.cpamp_source_identities === undefined) throw badRequest('cpamp_source_identities: missing');
  const identities = readBodyIdentities(fields.cpamp_source_identities);
  const file = identities[0]?.authFileName ?? '';
  return {
    files: [file],
    async resolve(reader) {
      resolveFile(await reader.list(), identities);
      const { auth_index: _, ...rest } = forwarded;
      return {
        override: { body: writeJson({ ...rest, name: file }) },
        decides: {
          scope: { kind: 'files', fileNames: [file] },
          wanted: wantedSwitch(fields, [file]),
        },
      };
    },
  };
}

function badRequest(message: string): AppError {
  return new AppError('auth_file_request_invalid', { message });
}
