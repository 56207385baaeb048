import type { Mode } from '../../../platform/session/identity.ts';

/** How a plugin's page is shown. */
export interface FrameRules {
  readonly url: string;
  /** Absent = the browser would not show the page in the panel, because another address serves it. */
  readonly sandbox: string | null;
  /** Whether a tab of its own keeps the page away from the panel's storage. */
  readonly canOpenTab: boolean;
}

const SANDBOX = 'allow-scripts allow-forms allow-popups allow-downloads';

/**
 * A page of a plugin runs in an origin of its own, without the panel's storage. The manager sends a sandbox with the page, which
 * holds in a tab too; a gateway alone sends none, so that there only the frame's own holds.
 *
 * @param base the server, ends in `/`
 * @param path the page at the gateway
 * @param trusted the manager's operator allows plugin pages the panel's origin
 */
export function frameRules(base: string, path: string, mode: Mode, panelOrigin: string, trusted: boolean): FrameRules {
  const url = new URL(path.replace(/^\//, ''), base);
  const isOwn = url.origin === panelOrigin;
  const managed = mode === 'manager';
  return {
    url: url.href,
    sandbox: isOwn ? `${SANDBOX}${managed && trusted ? ' allow-same-origin' : ''}` : null,
    canOpenTab: managed || !isOwn,
  };
}
