import { isShowable } from '@manager/core/contract/alias-text';
import type { ApiKeyAlias } from '@manager/core/contract/client-keys';
import { AppError } from '@manager/core/contract/errors';
import type {
  ViewerLink,
  ViewerLinkCreated,
  ViewerLinkRequest,
  ViewerLinksResponse,
} from '@manager/core/contract/viewer-links/links';
import type { ViewerAnalyticsRequest, ViewerResponse } from '@manager/core/contract/viewer-links/viewer';
import { MAX_VIEWER_KEYS, MAX_VIEWER_LINKS, VIEWER_NAME_MAX } from '@manager/core/contract/viewer-links/words';
import type { Viewer } from '../../http/auth.ts';
import type { TaggedPieces } from '../../http/entity-tag.ts';
import type { ViewerQuestion } from './question.ts';
import type { ViewerLinkReads, ViewerLinkWrites } from './store.ts';
import { generateViewerToken, viewerTokenHash } from './token.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const CURSOR_KEY_BYTES = 32;

export interface ViewerLinkDeps {
  readonly reader: ViewerLinkReads;
  readonly writer: ViewerLinkWrites;
  /** The unexpired link of a token's digest; null = none. On the main thread. */
  readonly find: (tokenHash: string, nowMs: number) => ViewerLink | null;
  readonly aliases: () => Promise<readonly ApiKeyAlias[]>;
  readonly ask: (question: ViewerQuestion, options: { readonly signal: AbortSignal }) => Promise<TaggedPieces>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly log: { warn(message: string): void };
}

export interface ViewerLinkService {
  list(): Promise<ViewerLinksResponse>;
  /** @throws AppError 400, 409 */
  create(request: ViewerLinkRequest): Promise<ViewerLinkCreated>;
  /** Takes effect with the next request. @throws AppError 404 */
  revoke(id: string): Promise<void>;
  /** For the authenticator. */
  findViewer(token: string): Viewer | null;
  /** What a link covers. */
  describe(viewer: Viewer): Promise<ViewerResponse>;
  /** @throws AppError 400, 403 */
  ask(viewer: Viewer, request: ViewerAnalyticsRequest, signal: AbortSignal): Promise<TaggedPieces>;
}

export function createViewerLinkService(deps: ViewerLinkDeps): ViewerLinkService {
  const { reader, writer, now } = deps;
  const cursorKey = deps.randomBytes(CURSOR_KEY_BYTES);
  /** Hour of the last use by link, so that most requests write nothing. */
  const used = new Map<string, number>();

  function noteUse({ id }: Viewer): void {
    const atMs = Math.floor(now() / HOUR_MS) * HOUR_MS;
    if (used.get(id) === atMs) return;
    used.set(id, atMs);
    // A failure is not tried again before the next hour: the list lacks an hour then.
    writer.run('noteViewerUse', { id, atMs }).catch(() => {
      deps.log.warn('the last use of a viewer link cannot be saved');
    });
  }

  return {
    list: async () => ({ items: await reader.run('viewerLinks', null) }),
    async create(request) {
      const token = generateViewerToken(deps.randomBytes);
      const createdAtMs = now();
      const link: ViewerLink = {
        id: deps.newId(),
        name: requireName(request.name),
        keys: request.keys === null ? null : requireKeys(request.keys),
        createdAtMs,
        expiresAtMs: request.expiresInDays === 0 ? null : createdAtMs + request.expiresInDays * DAY_MS,
        lastUsedAtMs: null,
      };
      const tokenHash = viewerTokenHash(token);
      if (!(await writer.run('addViewerLink', { link, tokenHash, most: MAX_VIEWER_LINKS })))
        throw new AppError('viewer_link_limit');
      return { link, token };
    },
    async revoke(id) {
      if (!(await writer.run('removeViewerLink', id))) throw new AppError('viewer_link_not_found');
      used.delete(id);
    },
    findViewer: (token) => deps.find(viewerTokenHash(token), now()),
    async describe(viewer) {
      noteUse(viewer);
      const { name, keys, expiresAtMs } = viewer;
      const names = new Map((await deps.aliases()).map(({ apiKeyHash, alias }) => [apiKeyHash, alias]));
      return {
        name,
        all: keys === null,
        keys: (keys ?? [...names.keys()]).map((hash) => {
          const alias = names.get(hash);
          return { api_key_hash: hash, ...(alias === undefined ? {} : { name: alias }) };
        }),
        expires_at_ms: expiresAtMs,
      };
    },
    ask(viewer, request, signal) {
      noteUse(viewer);
      return deps.ask({ request, keys: viewer.keys, cursorKey }, { signal });
    },
  };
}

function requireName(text: string): string {
  const name = text.trim();
  if ([...name].length > VIEWER_NAME_MAX || !isShowable(name)) throw new AppError('viewer_link_name_invalid');
  return name;
}

/** Does not repeat a text: it may be a client key. */
function requireKeys(texts: readonly string[]): string[] {
  const keys = [...new Set(texts.map((text) => text.trim().toLowerCase()))];
  const isValid = keys.length > 0 && keys.length <= MAX_VIEWER_KEYS && keys.every((key) => /^[0-9a-f]{64}$/.test(key));
  if (!isValid) throw new AppError('viewer_link_keys_invalid');
  return keys;
}
