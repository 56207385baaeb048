import { trimText } from '../json/text.ts';
import type { UsageEvent } from './event.ts';

type AccountFields = Pick<
  UsageEvent,
  | 'auth_file_snapshot'
  | 'auth_index'
  | 'auth_project_id_snapshot'
  | 'auth_provider_snapshot'
  | 'auth_label_snapshot'
  | 'account_snapshot'
  | 'provider'
  | 'source'
>;

const PREFIX = 'usage-account-history:2:';
const encoder = new TextEncoder();
const BYTE_DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase());

/** Of its UTF-8. Called for every collected event: ASCII, which is nearly all, takes no buffer. */
function hex(text: string): string {
  let digits = '';
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return hexOfBytes(text);
    digits += BYTE_DIGITS[code] ?? '';
  }
  return digits;
}

function hexOfBytes(text: string): string {
  let digits = '';
  for (const byte of encoder.encode(text)) digits += BYTE_DIGITS[byte] ?? '';
  return digits;
}

/** Normalized provider name: lower case, `_` as `-`, and one name for xAI. */
export function normalizedProvider(provider: string): string {
  const name = trimText(provider).toLowerCase().replaceAll('_', '-');
  return name === 'x-ai' || name === 'grok' ? 'xai' : name;
}

/**
 * Opaque key of an event's account; '' when nothing identifies it. Two accounts with one e-mail address have different
 * keys.
 *
 * @example accountKey({ auth_project_id_snapshot: 'p-1', auth_provider_snapshot: 'gemini', … }) //
 * 'usage-account-history:2:project:67656D696E69:702D31'
 */
export function accountKey(event: AccountFields): string {
  const account = trimText(event.account_snapshot);
  const label = trimText(event.auth_label_snapshot);
  const index = trimText(event.auth_index);
  const project = trimText(event.auth_project_id_snapshot);
  const provider = normalizedProvider(trimText(event.auth_provider_snapshot) || event.provider);
  const source = trimText(event.source);
  const file = trimText(event.auth_file_snapshot) || (source !== account && source !== label ? source : '');
  const key = (kind: string, ...parts: readonly string[]) => `${PREFIX}${kind}:${parts.map(hex).join(':')}`;

  if (file !== '') {
    if (index !== '') return key('file-index', file, index);
    if (project !== '') return key('file-project', file, provider, project);
    if (account !== '') return key('file-account', file, provider, account);
    if (label !== '') return key('file-label', file, provider, label);
    return key('file', file, provider);
  }
  if (index !== '') return key('auth-index', provider, index);
  if (project !== '') return key('project', provider, project);
  if (account !== '') return key('account', provider, account);
  if (label !== '') return key('label', provider, label);
  return '';
}

/**
 * A name for an account of which only its key is known: its file without `.json`, else its last part; '' for an unreadable key.
 *
 * @example accountNameOfKey('usage-account-history:2:file-index:612E6A736F6E:31') // 'a'
 */
export function accountNameOfKey(key: string): string {
  if (!key.startsWith(PREFIX)) return '';
  const [kind = '', ...digits] = key.slice(PREFIX.length).split(':');
  const parts = digits.map((part) => new TextDecoder().decode(bytesOf(part)));
  return kind.startsWith('file') ? (parts[0] ?? '').replace(/\.json$/i, '') : (parts.at(-1) ?? '');
}

function bytesOf(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** Key of the newest quota headers of an account; '' when nothing identifies it. */
export function snapshotKey(
  event: Pick<UsageEvent, 'auth_file_snapshot' | 'auth_index' | 'account_snapshot' | 'source_hash'>,
): string {
  const file = trimText(event.auth_file_snapshot);
  const index = trimText(event.auth_index);
  if (file !== '') return index !== '' ? `${file}::${index}` : `file::${file}`;
  if (index !== '') return `auth::${index}`;
  const account = trimText(event.account_snapshot);
  if (account !== '') return `account::${account.toLowerCase()}`;
  return event.source_hash !== '' ? `source::${event.source_hash}` : '';
}
