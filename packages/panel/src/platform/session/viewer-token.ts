import { VIEWER_FRAGMENT, VIEWER_TOKEN_PREFIX } from '@manager/core/contract/viewer-links/words';
import { isRecord, readStored, removeStored, writeStored } from '../browser/storage.ts';

/** The first page of a viewer. */
export const VIEWER_START = '/viewer-usage';

const FORM = new RegExp(`^#/?${VIEWER_FRAGMENT}(${VIEWER_TOKEN_PREFIX}[A-Za-z0-9_-]{20,128})$`);

/** The token in the fragment of a viewer link; null = another address. */
export function viewerTokenIn(hash: string): string | null {
  return FORM.exec(hash)?.[1] ?? null;
}

/** The address of a link. Browsers do not send what follows the `#`. */
export const viewerAddress = (page: string, token: string): string => `${page}#${VIEWER_FRAGMENT}${token}`;

/**
 * The token of this tab: a link's is stored for the tab and removed from the address before anything else can read it.
 *
 * @param page address of the page without its file name: the token is used nowhere else
 */
export function takeViewerToken(page: string): string | null {
  const token = viewerTokenIn(window.location.hash);
  if (token !== null) {
    writeStored('tab', 'viewer', { token, page });
    window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}#${VIEWER_START}`);
    return token;
  }
  const stored = readStored('tab', 'viewer');
  return isRecord(stored) && stored.page === page && typeof stored.token === 'string' ? stored.token : null;
}

/** A link that is opened in a tab where the panel already runs changes only the fragment. */
export function watchViewerLinks(page: string): void {
  window.addEventListener('hashchange', () => {
    if (viewerTokenIn(window.location.hash) === null) return;
    takeViewerToken(page);
    window.location.reload();
  });
}

/** The tab is no viewer's any more. */
export function leaveViewer(): void {
  removeStored('tab', 'viewer');
  window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}`);
  window.location.reload();
}
