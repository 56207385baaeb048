import { expect, test } from 'bun:test';
import { clientAddress, curlCommand } from './command.ts';

test.each([
  ['http://gateway:8317', 'panel.example', 'http://gateway:8317'],
  ['http://host.docker.internal:8317', 'panel.example', 'http://panel.example:8317'],
  ['http://127.0.0.1:8317', '10.0.0.5', 'http://10.0.0.5:8317'],
  ['http://[::1]:8317/base', 'localhost', 'http://localhost:8317/base'],
  ['https://gw.example', '127.0.0.1', 'https://gw.example'],
  ['', '127.0.0.1', ''],
])('clients reach %p from %p at %p', (baseUrl, host, address) => {
  expect(clientAddress(baseUrl, host)).toBe(address);
});

test('the command is one request, safe in a shell', () => {
  const command = curlCommand({ baseUrl: 'http://gw:8317', model: "it's", key: 'a key; $(x)' });
  expect(command).toContain("curl 'http://gw:8317/v1/chat/completions'");
  expect(command).toContain("-H 'Authorization: Bearer a key; $(x)'");
  expect(command).toContain(String.raw`it'\''s`);
  expect(curlCommand({ baseUrl: 'http://gw', model: 'm', key: null })).not.toContain('Authorization');
});
