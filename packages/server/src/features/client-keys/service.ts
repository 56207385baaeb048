import { isShowable } from '@manager/core/contract/alias-text';
import type { AliasesPutRequest, AliasesResponse, ApiKeyAlias } from '@manager/core/contract/client-keys';
import { ALIAS_MAX_CODE_POINTS } from '@manager/core/contract/constants';
import { AppError } from '@manager/core/contract/errors';
import type { AliasUpsert } from './store.ts';

export interface AliasServiceDeps {
  readonly list: () => Promise<ApiKeyAlias[]>;
  readonly upsert: (change: AliasUpsert) => Promise<ApiKeyAlias[]>;
  readonly remove: (hash: string) => Promise<unknown>;
}

export interface AliasService {
  list(): Promise<AliasesResponse>;
  put(request: AliasesPutRequest): Promise<AliasesResponse>;
  remove(hash: string): Promise<void>;
}

export function createAliasService(deps: AliasServiceDeps): AliasService {
  return {
    list: async () => ({ items: await deps.list() }),
    async put(request) {
      if (request.items == null) throw new AppError('api_key_aliases_required');
      const items = request.items.map((item) => ({
        apiKeyHash: requireHash(item.apiKeyHash),
        alias: requireAlias(item.alias),
        updatedAtMs: item.updatedAtMs != null && item.updatedAtMs > 0 ? item.updatedAtMs : null,
      }));
      const activeHashes =
        request.allowOrphanAliasCleanup === true
          ? (request.activeApiKeyHashes ?? []).flatMap((hash) => (typeof hash === 'string' ? (toHash(hash) ?? []) : []))
          : [];
      return { items: items.length === 0 ? await deps.list() : await deps.upsert({ items, activeHashes }) };
    },
    async remove(hash) {
      await deps.remove(requireHash(hash));
    },
  };
}

function toHash(text: string): string | null {
  const hash = text.trim().toLowerCase();
  return /^[0-9a-f]{64}$/.test(hash) ? hash : null;
}

/** Does not repeat the text: it may be a client key. */
function requireHash(text: string): string {
  const hash = toHash(text);
  if (hash === null) throw new AppError('api_key_hash_invalid');
  return hash;
}

function requireAlias(text: string): string {
  const alias = text.trim();
  const problem = aliasProblem(alias);
  if (problem !== null) throw invalidAlias(problem);
  return alias;
}

/** What is wrong with a trimmed name; null = nothing. */
export function aliasProblem(alias: string): string | null {
  if (alias === '') return 'alias: must not be empty';
  if ([...alias].length > ALIAS_MAX_CODE_POINTS) return `alias: at most ${ALIAS_MAX_CODE_POINTS} characters`;
  // Half a surrogate pair could not even be stored unchanged.
  return isShowable(alias) ? null : 'alias: contains a control character, or nothing that is visible';
}

function invalidAlias(message: string): AppError {
  return new AppError('api_key_alias_invalid', { message });
}
