import * as z from 'zod';

/**
 * A version is a text for as long as the gateway had it: one that returns is a version of its own, with the same `digest`.
 *
 * `seen`: the first version that the panel read; `saved`: the panel wrote it; `elsewhere`: it was read, and differs from
 * the version before.
 */
export const configurationOriginSchema = z.enum(['seen', 'saved', 'elsewhere']);

const version = {
  id: z.int(),
  /** SHA-256 of the text, hex. */
  digest: z.string(),
  origin: configurationOriginSchema,
  bytes: z.int(),
  /** Since it took the place of the version before it. */
  firstSeenAtMs: z.int(),
  lastSeenAtMs: z.int(),
  /** Settings that differ from the version before it, such as `api-keys (+1)`, never their values; null = unknown. */
  changed: z.array(z.string()).nullable(),
};
export const configurationVersionSchema = z.strictObject(version);
export type ConfigurationVersion = z.infer<typeof configurationVersionSchema>;

/** Answer of GET: of the connected gateway, the newest first. */
export const configurationVersionsSchema = z.strictObject({ items: z.array(configurationVersionSchema) });
export type ConfigurationVersions = z.infer<typeof configurationVersionsSchema>;

/** Answer of GET `…/{id}`. */
export const configurationVersionTextSchema = z.strictObject({ ...version, text: z.string() });
export type ConfigurationVersionText = z.infer<typeof configurationVersionTextSchema>;

/** Answer of POST. */
export const configurationVersionKeptSchema = z.strictObject({
  version: configurationVersionSchema,
  /** False: it was the newest version already. */
  added: z.boolean(),
});
export type ConfigurationVersionKept = z.infer<typeof configurationVersionKeptSchema>;
