import { expect, test } from 'bun:test';
import { listErrorLogs, readLog } from '../../features/logs/logs-api.ts';
import { knownModels, readRules } from '../../features/model-rules/rule-calls.ts';
import { listPlugins, readPluginStore, readSettings } from '../../features/plugins/plugin-calls.ts';
import { listPlugins as listSignInPlugins } from '../../features/provider-sign-in/flow/sign-in-calls.ts';
import { accountModels, channelModels, listFiles } from '../accounts/account-calls.ts';
import { accountsOf } from '../accounts/testing/accounts.ts';
import { KINDS } from '../gateway/providers/kinds.ts';
import { providerList } from '../gateway/providers/provider-list.ts';
import { listClientKeys } from '../queries/client-keys.ts';
import { readKeyUsage } from '../queries/key-usage.ts';
import { readRequestLog } from '../queries/request-log.ts';
import { listAt } from './answer-list.ts';
import type { Client } from './client.ts';
import { managerCalls } from './manager.ts';

const { signal } = new AbortController();
const answering = (answer: unknown): Client => {
  const client: Partial<Client> = { call: async <T>() => answer as T, now: () => 0 };
  return client as Client;
};
const [account] = accountsOf({});
if (account === undefined) throw new Error('no account');

// Each name is what would be shown as none, or off.
const READERS: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
  ...KINDS.map((kind) => [kind.id, (client: Client) => providerList(client, kind).read()] as const),
  ['auth files', listFiles],
  ['client keys', (client) => listClientKeys(client, signal)],
  ['models of a client', (client) => managerCalls(client).offeredModels(null)],
  ['models of an account', (client) => accountModels(client, account)],
  ['models of a channel', (client) => channelModels(client, 'codex')],
  ['models of a rule', (client) => knownModels(client, 'codex', undefined)],
  ['excluded models', (client) => readRules(client, 'excluded')],
  ['aliases', (client) => readRules(client, 'alias')],
  ['error rules', (client) => readRules(client, 'errors')],
  ['plugins', listPlugins],
  ['plugins that sign in', (client) => listSignInPlugins(client, signal)],
  ['plugin store', readPluginStore],
  ['settings of a plugin', (client) => readSettings(client, 'echo')],
  ['use of keys', (client) => readKeyUsage(client, signal)],
  ['log', (client) => readLog(client, { limit: 5 }, signal)],
  ['error logs', (client) => listErrorLogs(client, signal)],
  ['request log', readRequestLog],
];

test.each(READERS)('an answer that is not expected is not none of the %s', async (_, read) => {
  for (const answer of ['<html>', [], 7]) {
    // A bare list is one of auth files.
    if (Array.isArray(answer) && read === listFiles) continue;
    await expect(read(answering(answer))).rejects.toMatchObject({ kind: 'shape' });
  }
});

test('a list is found under its name; null is an empty one, anything else none', async () => {
  expect(await listAt(answering({ files: [1] }), '/', 'files')).toEqual([1]);
  expect(await listAt(answering({ files: null }), '/', 'files')).toEqual([]);
  for (const answer of [{}, { files: {} }, { others: [] }])
    await expect(listAt(answering(answer), '/', 'files')).rejects.toThrow('is not a list');
  // Rules of a provider that are no list would be lost with the next change.
  const rules = answering({ 'oauth-excluded-models': { claude: 'all', codex: null } });
  await expect(readRules(rules, 'excluded')).rejects.toThrow('is not a map');
});
