import { z } from 'zod';
import { VIEWER_EXPIRY_DAYS } from './words.ts';

/** `…/viewer-links`: read-only access for the owners of client keys. Instants are ms. */

export const viewerLinkRequestSchema = z.strictObject({
  /** Shown in lists and to the holder; trimmed, 1 to 120 characters. */
  name: z.string('string expected'),
  /** SHA-256 of each client key in hex; null = all requests. */
  keys: z.array(z.string('string expected'), 'array expected').nullable(),
  /** Days until it expires: 1, 7, 30, 90; 0 = never. */
  expiresInDays: z.literal([...VIEWER_EXPIRY_DAYS], `one of ${VIEWER_EXPIRY_DAYS.join(', ')} expected`),
});

const linkSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  keys: z.array(z.string()).nullable(),
  createdAtMs: z.number(),
  /** null = never. */
  expiresAtMs: z.number().nullable(),
  /** Start of the hour in which it was used last; null = not yet. */
  lastUsedAtMs: z.number().nullable(),
});

/** Newest first; expired ones stay until they are revoked. */
export const viewerLinksResponseSchema = z.strictObject({ items: z.array(linkSchema) });

/** The only answer that has the token: only a digest is stored. */
export const viewerLinkCreatedSchema = z.strictObject({ link: linkSchema, token: z.string() });

export type ViewerLinkRequest = z.infer<typeof viewerLinkRequestSchema>;
export type ViewerLink = z.infer<typeof linkSchema>;
export type ViewerLinksResponse = z.infer<typeof viewerLinksResponseSchema>;
export type ViewerLinkCreated = z.infer<typeof viewerLinkCreatedSchema>;
