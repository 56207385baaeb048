import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { RandomBytes } from './admin-key.ts';
import { fromBase64, toBase64 } from './base64.ts';

const PREFIX = 'enc:v1:';
const SALT = 'usage-manager';
const ADDITIONAL_DATA = Buffer.from('settings-secret');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Opened = { readonly ok: true; readonly secret: string } | { readonly ok: false };

/** Encrypts and decrypts the secrets of settings rows with one data key. */
export interface Protector {
  /** Uses a new nonce each time; blank stays blank. */
  seal(secret: string): string;
  /** A text that is no envelope was stored as plaintext by an old version and is returned unchanged. */
  open(stored: string): Opened;
}

/** Derives 32 bytes from an operator's text that is not itself a key. */
export function deriveDataKey(text: string): Buffer {
  return Buffer.from(hkdfSync('sha256', text, SALT, 'data-key-v1', 32));
}

export function createProtector(dataKey: Uint8Array, randomBytes: RandomBytes): Protector {
  const key = Buffer.from(hkdfSync('sha256', dataKey, SALT, 'settings-secrets-v1', 32));
  return {
    seal(secret) {
      const plaintext = secret.trim();
      if (plaintext === '') return '';
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(ADDITIONAL_DATA);
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${PREFIX}${toBase64(nonce)}:${toBase64(body)}`;
    },
    open(stored) {
      const envelope = parseEnvelope(stored);
      if (envelope === null) return { ok: true, secret: stored.trim() };
      const { nonce, body } = envelope;
      const split = body.length - TAG_BYTES;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce)
          .setAAD(ADDITIONAL_DATA)
          .setAuthTag(body.subarray(split));
        const plaintext = Buffer.concat([decipher.update(body.subarray(0, split)), decipher.final()]);
        return { ok: true, secret: plaintext.toString('utf8').trim() };
      } catch {
        return { ok: false };
      }
    },
  };
}

/** Only a well-formed envelope counts as ciphertext: a secret may itself start with the prefix. */
export function isEnvelope(stored: string): boolean {
  return parseEnvelope(stored) !== null;
}

function parseEnvelope(stored: string): { readonly nonce: Buffer; readonly body: Buffer } | null {
  const text = stored.trim();
  if (!text.startsWith(PREFIX)) return null;
  const parts = text.slice(PREFIX.length).split(':');
  if (parts.length !== 2) return null;
  const nonce = fromBase64(parts[0] ?? '');
  const body = fromBase64(parts[1] ?? '');
  if (nonce?.length !== NONCE_BYTES || body === null || body.length < TAG_BYTES) return null;
  return { nonce, body };
}
