import { AppError } from '@manager/core/contract/errors';
import {
  requiredSecret,
  type SecretName,
  TARGET_SECRETS,
  type TargetKind,
} from '@manager/core/contract/notifications/kinds';
import type { SecretVault } from '../../platform/secrets/vault.ts';
import { shortened } from './shortened.ts';
import type { Secrets } from './targets/delivery.ts';

/** Encrypts and decrypts the secrets of targets, as one text per target. */
export interface SecretBox {
  seal(secrets: Secrets): string;
  /** null: encrypted with another data key. */
  open(stored: string): Secrets | null;
}

export function createSecretBox(vault: Pick<SecretVault, 'seal' | 'open'>): SecretBox {
  return {
    seal: (secrets) => (Object.keys(secrets).length === 0 ? '' : vault.seal(JSON.stringify(secrets))),
    open(stored) {
      if (stored === '') return {};
      const opened = vault.open(stored);
      return opened.ok ? (JSON.parse(opened.secret) as Secrets) : null;
    },
  };
}

/**
 * The secrets of a target after a change: an absent one stays, an empty one goes.
 *
 * @throws AppError when one is missing without which nothing can be sent, or a URL cannot be used; never with its value
 */
export function mergedSecrets(
  kind: TargetKind,
  stored: Secrets,
  given: Readonly<Partial<Record<SecretName, string | null | undefined>>>,
): Secrets {
  const merged: Partial<Record<SecretName, string>> = {};
  for (const name of TARGET_SECRETS[kind]) {
    const value = given[name] === undefined ? stored[name] : given[name];
    if (value != null && value !== '') merged[name] = value;
  }
  const required = requiredSecret(kind);
  if (required !== null && merged[required] === undefined)
    throw new AppError('notification_secret_required', { message: `secrets.${required}: missing` });
  if (merged.url !== undefined && !isUsableUrl(merged.url)) throw new AppError('notification_url_invalid');
  return merged;
}

function isUsableUrl(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
  } catch {
    return false;
  }
}

/** Of a URL, what may be shown. */
export function hintOf(name: SecretName, secret: string | undefined): string {
  return name === 'url' && secret !== undefined ? `${new URL(secret).origin}/…` : '';
}

const MAX_ANSWER = 300;
/** Stands where a secret was. */
export const HIDDEN = '•••';
/** A shorter part of a URL, such as `api`, would remove ordinary words. */
const MIN_PART = 8;

/** What a service answered, without secrets that it may repeat, and not too long. */
export function shownAnswer(answer: string, secrets: Secrets, redact: (text: string) => string): string {
  let text = answer;
  for (const form of Object.values(secrets)
    .flatMap(formsOf)
    .sort((left, right) => right.length - left.length)) {
    text = text.replaceAll(form, HIDDEN);
  }
  return shortened(redact(text).replace(/\s+/g, ' ').trim(), MAX_ANSWER);
}

/** How a secret may appear: as it is, encoded, and the parts of a URL. */
function formsOf(secret: string): readonly string[] {
  const parts = secret.split(/[/?&=#:]/).filter((part) => part.length >= MIN_PART);
  const path = secret.includes('://') ? secret.slice(secret.indexOf('/', secret.indexOf('://') + 3)) : '';
  const texts = [secret, ...parts, ...(path.length >= MIN_PART ? [path] : [])];
  return texts
    .filter((text) => text.length >= 4)
    .flatMap((text) => [
      text,
      encodeURIComponent(text),
      text.replaceAll('/', '\\/'),
      Buffer.from(text, 'utf8').toString('base64'),
    ]);
}
