import * as z from 'zod';

/** A name for a client key; only the SHA-256 of the key is known. */
export const apiKeyAliasSchema = z.strictObject({
  /** 64 lower-case hex digits. */
  apiKeyHash: z.string(),
  alias: z.string(),
  updatedAtMs: z.int(),
});
export type ApiKeyAlias = z.infer<typeof apiKeyAliasSchema>;

/** Answer of GET and PUT `/v0/management/api-key-aliases`: the full list, by alias ignoring case, then hash. */
export const aliasesResponseSchema = z.strictObject({ items: z.array(apiKeyAliasSchema) });
export type AliasesResponse = z.infer<typeof aliasesResponseSchema>;

/** PUT body: an upsert, hashes that are not listed stay. */
export const aliasesPutRequestSchema = z.object({
  items: z
    .array(
      z.object({
        apiKeyHash: z.string(),
        alias: z.string(),
        /** 0 or less, or absent: now. */
        updatedAtMs: z.int().nullish(),
      }),
    )
    .nullish(),
  /** Hashes of the client keys in use; other texts are ignored. */
  activeApiKeyHashes: z.array(z.unknown()).nullish(),
  /** Allows the removal of an alias of a key outside `activeApiKeyHashes` when its name is needed again. */
  allowOrphanAliasCleanup: z.boolean().nullish(),
});
export type AliasesPutRequest = z.infer<typeof aliasesPutRequestSchema>;

export const aliasDeleteResponseSchema = z.strictObject({ ok: z.literal(true) });
export type AliasDeleteResponse = z.infer<typeof aliasDeleteResponseSchema>;
