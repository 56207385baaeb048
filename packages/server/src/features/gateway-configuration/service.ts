import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { AppError } from '@manager/core/contract/errors';
import type {
  ConfigurationVersion,
  ConfigurationVersionKept,
  ConfigurationVersions,
  ConfigurationVersionText,
} from '@manager/core/contract/gateway-configuration';
import type { SecretVault } from '../../platform/secrets/vault.ts';
import { changedSettings } from './changed-settings.ts';
import type { KeptVersion } from './store.ts';

/** Of one version. */
export const MAX_COMPRESSED_BYTES = 8 * 1024 * 1024;

export interface ConfigurationHistoryDeps {
  readonly vault: Pick<SecretVault, 'hasKey' | 'seal' | 'open'>;
  /** URL of the connected gateway; '' = none. */
  readonly gateway: () => string;
  readonly list: (of: { gateway: string; nowMs: number }) => Promise<ConfigurationVersion[]>;
  readonly read: (of: {
    gateway: string;
    id: number;
    nowMs: number;
  }) => Promise<{ readonly version: ConfigurationVersion; readonly envelope: string } | null>;
  readonly keep: (version: KeptVersion) => Promise<ConfigurationVersionKept>;
  readonly removeAll: () => Promise<unknown>;
  readonly maxCompressedBytes: number;
  readonly now: () => number;
}

export interface ConfigurationHistory {
  list(): Promise<ConfigurationVersions>;
  text(id: number): Promise<ConfigurationVersionText>;
  /** `saved`: the panel wrote it; otherwise it only read it. */
  keep(text: Uint8Array, saved: boolean): Promise<ConfigurationVersionKept>;
  removeAll(): Promise<void>;
}

/** Versions of the gateway's configuration. It has client keys and provider keys in clear, so it is stored as the management key is. */
export function createConfigurationHistory(deps: ConfigurationHistoryDeps): ConfigurationHistory {
  function gateway(): string {
    const url = deps.gateway();
    if (url === '') throw new AppError('usage_service_not_configured');
    return url;
  }

  async function textIn(envelope: string): Promise<string | null> {
    const opened = deps.vault.open(envelope);
    return opened.ok ? decode(await promisify(gunzip)(Buffer.from(opened.secret, 'base64'))) : null;
  }

  /** Since the newest version, if that one can be read. */
  async function changesOf(url: string, digest: string, text: Uint8Array): Promise<KeptVersion['changes']> {
    const nowMs = deps.now();
    const [newest] = await deps.list({ gateway: url, nowMs });
    if (newest === undefined || newest.digest === digest) return null;
    const found = await deps.read({ gateway: url, id: newest.id, nowMs });
    const before = found === null ? null : await textIn(found.envelope);
    const names = before === null ? null : changedSettings(before, decode(text));
    return names === null ? null : { since: newest.digest, names };
  }

  return {
    list: async () => ({ items: await deps.list({ gateway: gateway(), nowMs: deps.now() }) }),
    async text(id) {
      const found = await deps.read({ gateway: gateway(), id, nowMs: deps.now() });
      if (found === null) throw new AppError('configuration_version_not_found');
      const text = await textIn(found.envelope);
      if (text === null) throw new AppError('configuration_version_unreadable');
      return { ...found.version, text };
    },
    async keep(text, saved) {
      if (text.byteLength === 0) throw new AppError('configuration_text_missing');
      const url = gateway();
      // The panel keeps what it reads, without being asked: that must not replace a missing key by a new one.
      if (!deps.vault.hasKey()) throw new AppError('data_key_missing');
      const compressed = await promisify(gzip)(text);
      if (compressed.byteLength > deps.maxCompressedBytes) throw new AppError('configuration_too_large');
      const envelope = deps.vault.seal(compressed.toString('base64'));
      const digest = createHash('sha256').update(text).digest('hex');
      return deps.keep({
        gateway: url,
        digest,
        envelope,
        bytes: text.byteLength,
        saved,
        changes: await changesOf(url, digest, text),
      });
    },
    async removeAll() {
      await deps.removeAll();
    },
  };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
