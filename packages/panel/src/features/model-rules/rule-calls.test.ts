import { expect, test } from 'bun:test';
import { ApiError } from '../../platform/api/errors.ts';
import { knownModels } from './rule-calls.ts';

/** A gateway that knows one channel, and one account of another. */
const client = {
  now: () => 0,
  call: async <T>(path: string): Promise<T> => {
    if (path.endsWith('model-definitions/claude')) return { models: [{ id: 'a' }, {}] } as T;
    if (path.endsWith('auth-files/models?name=my%20file.json')) return { models: [{ id: 'b' }] } as T;
    throw new ApiError('status', 'unknown channel', { path, atMs: 0, status: path.includes('down') ? 502 : 400 });
  },
};

test('models of a channel come from the catalog, those of a plugin from one of its accounts', async () => {
  expect(await knownModels(client, 'claude', 'my file.json')).toEqual(['a']);
  expect(await knownModels(client, 'plugin', 'my file.json')).toEqual(['b']);
  // Without an account they are not known, which is not the same as none.
  await expect(knownModels(client, 'plugin', undefined)).rejects.toThrow('unknown channel');
  await expect(knownModels(client, 'down', 'my file.json')).rejects.toThrow();
});
