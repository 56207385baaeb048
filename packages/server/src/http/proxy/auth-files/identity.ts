import { type AccountIdentity, accountIdentity } from '@manager/core/accounts/identity';
import { AppError } from '@manager/core/contract/errors';
import { z } from 'zod';
import { refuseTooDeep } from '../../body.ts';

const MAX_IDENTITY_BYTES = 1024 * 1024;

const Text = z
  .string()
  .nullish()
  .transform((value) => (value ?? '').trim());
const Index = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? '').trim());

const HeaderIdentity = z.object({
  name: z.string().trim().min(1),
  runtimeId: Text,
  authIndex: Index,
  provider: Text,
  accountId: Text,
  accountSnapshot: Text,
});
const HeaderIdentities = z.array(HeaderIdentity).min(1);

const BodyIdentities = z
  .array(
    z.object({
      name: z.string().trim().min(1),
      runtime_id: z.string().trim().min(1),
      auth_index: Index,
      provider: Text,
      account_id: Text,
      account_snapshot: Text,
    }),
  )
  .min(1);

/**
 * Reads an identity list from its header form: a URL-encoded JSON array.
 *
 * @throws AppError 400 when it is empty or malformed, 413 when it is above 1 MiB.
 */
export function readIdentityHeader(value: string): AccountIdentity[] {
  let json: unknown;
  try {
    const decoded = decodeURIComponent(value);
    if (Buffer.byteLength(decoded) > MAX_IDENTITY_BYTES) throw new AppError('auth_file_identity_too_large');
    refuseTooDeep(decoded);
    json = JSON.parse(decoded);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw malformed();
  }
  const parsed = HeaderIdentities.safeParse(json);
  if (!parsed.success) throw malformed();
  return parsed.data.map(({ name, ...parts }) => accountIdentity({ authFileName: name, ...parts }));
}

/** Reads `cpamp_source_identities` of a status request. @throws AppError 400 */
export function readBodyIdentities(value: unknown): AccountIdentity[] {
  const parsed = BodyIdentities.safeParse(value);
  if (!parsed.success) throw malformed();
  return parsed.data.map((identity) =>
    accountIdentity({
      authFileName: identity.name,
      runtimeId: identity.runtime_id,
      authIndex: identity.auth_index,
      provider: identity.provider,
      accountId: identity.account_id,
      accountSnapshot: identity.account_snapshot,
    }),
  );
}

function malformed(): AppError {
  return new AppError('auth_file_request_invalid');
}
