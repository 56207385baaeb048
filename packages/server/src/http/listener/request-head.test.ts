import { describe, expect, test } from 'bun:test';
import { HeadError, parseRequestHead } from './request-head.ts';

function parse(text: string) {
  return parseRequestHead(Buffer.from(text, 'latin1'));
}

describe('the head of a request', () => {
  test('has method, whole address, headers and framing', () => {
    const head = parse('POST /a/b?c=d HTTP/1.1\r\nHost: x:8080\r\nX-One:  1 \r\nX-One: 2\r\nContent-Length: 7');
    expect({ ...head, headers: [...head.headers] }).toEqual({
      method: 'POST',
      url: 'http://x:8080/a/b?c=d',
      headers: [
        ['content-length', '7'],
        ['host', 'x:8080'],
        ['x-one', '1, 2'],
      ],
      framing: { kind: 'length', bytes: 7 },
      isHttp10: false,
      keepAlive: true,
      expectsContinue: false,
    });
  });

  test.each([
    ['GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive', true],
    ['GET / HTTP/1.1\r\nHost: x\r\nConnection: Foo, CLOSE', false],
    ['GET / HTTP/1.0', false],
    ['GET / HTTP/1.0\r\nConnection: keep-alive', false],
  ])('%j keeps its connection: %p', (text, keepAlive) => {
    expect(parse(text).keepAlive).toBe(keepAlive);
  });

  test.each([
    ['GET //a HTTP/1.1\r\nHost: x', 'http://x//a'],
    ['GET http://other/a HTTP/1.1\r\nHost: x', 'http://other/a'],
    ['GET http://other HTTP/1.1\r\nHost: x', 'http://other/'],
    ['OPTIONS * HTTP/1.1\r\nHost: x', 'http://x/'],
    ['GET / HTTP/1.1\r\nHost: [::1]:80', 'http://[::1]:80/'],
    ['GET /caf\xc3\xa9 HTTP/1.1\r\nHost: x', 'http://x/café'],
  ])('%j asks for %s', (text, url) => {
    expect(parse(text).url).toBe(url);
  });

  test('may be chunked', () => {
    const head = parse('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\nExpect: 100-Continue');
    expect([head.framing, head.expectsContinue]).toEqual([{ kind: 'chunked' }, true]);
  });

  test.each([
    [400, 'GET / HTTP/1.1'],
    [400, 'GET / HTTP/1.1\r\nHost:'],
    [400, 'GET / HTTP/1.1\r\nHost: a, b'],
    [400, 'GET / HTTP/1.1\r\nHost: a b'],
    [400, 'GET / HTTP/1.1\r\nHost: a#b'],
    [400, 'GET / HTTP/1.1\r\nHost: 999.1.1.1.1'],
    [400, 'GET http://a@b/ HTTP/1.1\r\nHost: x'],
    [400, 'GET relative HTTP/1.1\r\nHost: x'],
    [400, 'GET /a\\..\\b HTTP/1.1\r\nHost: x'],
    [400, 'GET /v0\\management/config HTTP/1.1\r\nHost: x'],
    [400, 'GET /a?b\\c HTTP/1.1\r\nHost: x'],
    [400, 'GET /a#/../b HTTP/1.1\r\nHost: x'],
    [400, 'GET http://x/a#b HTTP/1.1\r\nHost: x'],
    ...['\x0b', '\x0c', '\x1f'].flatMap((space): [number, string][] => [
      [400, `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${space}chunked`],
      [400, `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1${space}`],
      [400, `GET / HTTP/1.1\r\nHost: x${space}`],
    ]),
    ...['\x85', '\xa0'].flatMap((space): [number, string][] => [
      [501, `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked${space}`],
      [400, `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${space}1`],
      [400, `GET / HTTP/1.1\r\nHost: ${space}x`],
    ]),
    [400, 'GET /a b HTTP/1.1\r\nHost: x'],
    [400, 'GET /\x01 HTTP/1.1\r\nHost: x'],
    [400, 'GET /\xff HTTP/1.1\r\nHost: x'],
    [400, 'get / HTTP/1.1\r\nHost: x'],
    [400, 'GET / HTTP/1.1\r\nHost: x\r\nBad Name: 1'],
    [400, 'GET / HTTP/1.1\r\nHost: x\r\nnocolon'],
    [400, 'GET / HTTP/1.1\r\nHost: x\r\nX: a\x00b'],
    [400, 'GET / HTTP/1.1\r\nHost: x\r\nX: a\nb'],
    [400, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1e3'],
    [400, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1'],
    [400, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999999999'],
    [400, 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked'],
    [501, 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked'],
    [501, 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
    [501, 'BREW / HTTP/1.1\r\nHost: x'],
    [505, 'GET / HTTP/2.0\r\nHost: x'],
    [431, `GET / HTTP/1.1\r\nHost: x${'\r\na: b'.repeat(1001)}`],
  ])('%i for %j', (status, text) => {
    const thrown = (() => {
      try {
        return parse(text);
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(HeadError);
    expect((thrown as HeadError).status).toBe(status as HeadError['status']);
  });
});
