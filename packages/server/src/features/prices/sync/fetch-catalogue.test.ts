import { expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { fetchCatalogue } from './fetch-catalogue.ts';

test('a proxy that refuses the tunnel to an encrypted source is reported, without its password', async () => {
  const heads: string[] = [];
  const proxy = createServer((client) => {
    client.once('data', (data) => {
      heads.push(data.toString());
      client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  try {
    const answer = await fetchCatalogue({
      url: 'https://catalogue.example.test/list',
      proxy: `http://user:secret@127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
      etag: '',
      timeoutMs: 5_000,
      maxBytes: 1_000,
      signal: new AbortController().signal,
    });
    expect(answer).toEqual({
      kind: 'failed',
      error: 'the proxy of the gateway does not lead there (ERR_PROXY_TUNNEL)',
    });
    expect(heads[0]).toStartWith('CONNECT catalogue.example.test:443 HTTP/1.1\r\n');
    expect(heads[0]).toContain(`Basic ${btoa('user:secret')}`);
  } finally {
    proxy.close();
  }
});
