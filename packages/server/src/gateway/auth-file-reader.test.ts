import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type AuthFileAnswer, readAuthFiles } from './auth-file-reader.ts';
import { type GatewayRig, startGatewayRig } from './testing.ts';

let rig: GatewayRig;
beforeEach(async () => {
  rig = await startGatewayRig();
});
afterEach(() => rig.stop());

/** Names of the entries in an answer of this body. */
function read(body: string): Promise<AuthFileAnswer<unknown>> {
  rig.simulator.fault({ kind: 'http', respond: { status: 200, body } });
  return readAuthFiles({
    http: rig.http,
    call: { connection: rig.connection, timeoutMs: 20_000, tlsSkipVerify: false },
    read: ({ name }) => (name === 'left out' ? null : name),
  });
}

test.each([
  ['a list', '[{"name":"a"},{"name":"b"}]'],
  ['under a key', '{"total":2,"authFiles":[{"name":"a"},{"name":"b"}]}'],
  ['what is no object', '{"files":[1,{"name":"a"},null,"x",[{"name":"c"}],{"name":"b"}]}'],
  ['what is not wanted', '[{"name":"a"},{"name":"left out"},{"name":"b"}]'],
])('%s is read', async (_form, body) => {
  expect(await read(body)).toMatchObject({ files: ['a', 'b'], incomplete: '' });
});

test('one bare entry is a list of one', async () => {
  expect(await read('{"name":"a","files":null}')).toMatchObject({ files: ['a'], incomplete: '' });
});

test.each([
  ['{"name":}', 'an entry of the auth-file list is not valid JSON'],
  [`{"name":"${'x'.repeat(4 * 1024 * 1024)}"}`, 'an entry of the auth-file list is above 4 MiB'],
])('an entry that cannot be read is reported, the others stay', async (entry, incomplete) => {
  expect(await read(`{"files":[{"name":"a"},${entry},{"name":"b"}]}`)).toMatchObject({ files: ['a', 'b'], incomplete });
});

test.each([
  ['{"files":[{"name":"a"}', 'the response was cut off'],
  ['{"error":"none"}', 'the response contains no list'],
  ['"a"', 'the response is not a JSON list'],
])('%s is an error', async (body, message) => {
  const error = await read(body).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'UpstreamError', message });
});

test('the clock of the gateway is read from the answer', async () => {
  const { atMs } = await read('[]');
  expect(Math.abs((atMs ?? 0) - Date.now())).toBeLessThan(60_000);
});
