import { isJsonObject } from '@manager/core/json/json';

/** A provider at which the gateway can sign in. */
export interface SignInProvider {
  /** As the gateway lists its accounts. */
  readonly id: string;
  /** In the paths and bodies of the sign-in. */
  readonly wire: string;
  /** Proper name, the same in every language. */
  readonly name: string;
  /** The gateway opens a listener for the provider's answer where the browser is told so. */
  readonly listens: boolean;
  /** The answer may be a bare code, which older gateways expect as this address. */
  readonly codeAddress?: string;
}

export const BUILT_IN: readonly SignInProvider[] = [
  { id: 'codex', wire: 'codex', name: 'Codex (OpenAI)', listens: true },
  { id: 'claude', wire: 'anthropic', name: 'Claude (Anthropic)', listens: true },
  { id: 'antigravity', wire: 'antigravity', name: 'Antigravity (Google)', listens: true },
  { id: 'kimi', wire: 'kimi', name: 'Kimi (Moonshot)', listens: false },
  { id: 'xai', wire: 'xai', name: 'Grok (xAI)', listens: true, codeAddress: 'http://127.0.0.1:56121/callback' },
];

/** Has no sign-in page: its accounts come from a service account's file. */
export const VERTEX = { id: 'vertex', name: 'Vertex AI (Google)' } as const;

const WIRE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** Providers of running plugins, from the gateway's plugins. */
export function pluginProviders(plugins: readonly unknown[]): readonly SignInProvider[] {
  const known = new Set([...BUILT_IN.flatMap(({ id, wire }) => [id, wire]), VERTEX.id]);
  return plugins.flatMap((plugin) => {
    if (!isJsonObject(plugin) || plugin.supports_oauth !== true || plugin.effective_enabled !== true) return [];
    const wire = typeof plugin.oauth_provider === 'string' ? plugin.oauth_provider.trim() : '';
    if (!WIRE_NAME.test(wire) || known.has(wire.toLowerCase())) return [];
    known.add(wire.toLowerCase());
    return [{ id: wire, wire, name: wire, listens: false }];
  });
}

/** Whether an account of the list is one of this provider. */
export function isOf(provider: { readonly id: string; readonly wire?: string }, listed: string): boolean {
  const name = listed.trim().toLowerCase();
  return name === provider.id.toLowerCase() || name === provider.wire?.toLowerCase();
}
