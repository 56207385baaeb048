import { describe, expect, test } from 'bun:test';
import type { Client } from '../../platform/api/client.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { readStore } from './model/store.ts';
import { installPlugin } from './plugin-calls.ts';

const entry = { store_id: 'official/echo', source_id: 'official', id: 'echo', version: '1.1.0', installed: false };
const [offer] = readStore({}, [entry]).plugins;
if (offer === undefined) throw new Error('no offer');

/** A gateway that fails an install, and what its store lists afterwards; null = it does not answer. */
function failing(
  failure: { readonly kind: 'network' | 'status'; readonly status?: number; readonly message?: string },
  after: object | null,
) {
  const paths: string[] = [];
  const client: Partial<Client> = {
    now: () => 0,
    call: async <T>(path: string) => {
      paths.push(path);
      const about = { path, atMs: 0, status: failure.status ?? 0 };
      if (path.includes('/install')) throw new ApiError(failure.kind, failure.message ?? 'gone', about);
      if (after === null) throw new ApiError('network', 'gone', about);
      return { plugins: [{ ...entry, ...after }] } as T;
    },
  };
  return { client: client as Client, paths };
}

describe('an install without an answer', () => {
  const lost = { kind: 'network' } as const;

  test('is done where the store lists the version as installed', async () => {
    const { client } = failing(lost, { installed: true, installed_version: '1.1.0' });
    expect(await installPlugin(client, offer, '')).toEqual({ version: '1.1.0', restartRequired: false, known: false });
  });

  test('is not where it does not, lists another version, or does not answer', async () => {
    for (const after of [{}, { installed: true, installed_version: '1.0.0' }, null])
      await expect(installPlugin(failing(lost, after).client, offer, '')).rejects.toThrow('gone');
    // The version was there before, so that its being there proves nothing.
    const here = { ...offer, installed: true, installedVersion: '1.1.0' };
    const { client } = failing(lost, { installed: true, installed_version: '1.1.0' });
    await expect(installPlugin(client, here, '1.1.0')).rejects.toThrow('gone');
  });
});

test('a refused install is not looked up', async () => {
  const { client, paths } = failing({ kind: 'status', status: 409, message: 'plugin_update_requires_restart' }, {});
  await expect(installPlugin(client, offer, '2.0.0')).rejects.toThrow('plugin_update');
  expect(paths).toEqual(['v0/management/plugin-store/echo/install?source=official&version=2.0.0']);
});
