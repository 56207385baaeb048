import type { RandomBytes } from './admin-key.ts';
import { toBase64 } from './base64.ts';
import { createDataKey, dataKeyExposure, loadDataKey } from './data-key.ts';
import { createProtector, isEnvelope, type Opened, type Protector } from './envelope.ts';

/**
 * Holds the data key for the life of a process. The key may be missing: then nothing can be decrypted, and a new key is created
 * only when a first new secret is written, so that restoring the right file recovers everything.
 */
export interface SecretVault {
  readonly keyPath: string;
  hasKey(): boolean;
  open(stored: string): Opened;
  /** Creates a missing key. */
  seal(secret: string): string;
  /** Loads or creates the key now; true when this call created it. */
  ensureKey(): boolean;
}

export interface VaultOptions {
  readonly explicitText: string;
  readonly path: string;
  readonly randomBytes: RandomBytes;
  /** Called with the text of the key in use, so that logs can redact it. */
  readonly protectSecret?: (secret: string) => void;
  /** Called when others can read the file of the key. */
  readonly warn?: (message: string) => void;
  /** Called when a missing key was made for a new secret. */
  readonly created?: (path: string) => void;
}

/** Throws `DataKeyError` for an unreadable key. */
export function openVault(options: VaultOptions): SecretVault {
  let protector = load();
  const exposure = options.explicitText === '' && protector !== null ? dataKeyExposure(options.path) : null;
  if (exposure !== null) options.warn?.(exposure);

  function load(): Protector | null {
    const key = loadDataKey(options.explicitText, options.path);
    return key === null ? null : use(key);
  }

  function use(key: Uint8Array): Protector {
    options.protectSecret?.(toBase64(key));
    return createProtector(key, options.randomBytes);
  }

  function ensure(): { readonly protector: Protector; readonly created: boolean } {
    protector ??= load();
    if (protector !== null) return { protector, created: false };
    protector = use(createDataKey(options.path, options.randomBytes));
    return { protector, created: true };
  }

  return {
    keyPath: options.path,
    hasKey: () => protector !== null,
    open(stored) {
      if (!isEnvelope(stored)) return { ok: true, secret: stored.trim() };
      return protector?.open(stored) ?? { ok: false };
    },
    seal(secret) {
      if (secret.trim() === '') return '';
      const used = ensure();
      if (used.created) options.created?.(options.path);
      return used.protector.seal(secret);
    },
    ensureKey: () => ensure().created,
  };
}
