import { readStored, writeStored } from '../browser/storage.ts';
import { sha256HexSync } from '../sha256.ts';

/**
 * Accounts are often e-mail addresses, which must not appear in an address bar. There such a name is a short token of its hash;
 * the server's menus or this tab map it back to the name.
 */
const TOKEN = /^h:[0-9a-f]{16}$/;

export function accountToken(name: string): string {
  return name.includes('@') ? `h:${sha256HexSync(name).slice(0, 16)}` : name;
}

export const isAccountToken = (text: string): boolean => TOKEN.test(text);

const names = new Map<string, string>();

function loadTab(): void {
  const stored = readStored('tab', 'names');
  if (!Array.isArray(stored)) return;
  for (const name of stored) if (typeof name === 'string') names.set(accountToken(name), name);
}

/** Learns names; those used as a filter are kept for a reload of this tab. */
export function rememberAccounts(list: readonly string[], chosen = false): void {
  for (const name of list) names.set(accountToken(name), name);
  if (chosen) writeStored('tab', 'names', list.filter((name) => name.includes('@')).slice(0, 50));
}

/** The name behind a token, undefined while unknown; other texts are names already. */
export function accountName(text: string): string | undefined {
  if (!isAccountToken(text)) return text;
  if (names.size === 0) loadTab();
  return names.get(text);
}
