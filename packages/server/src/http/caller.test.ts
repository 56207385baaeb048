import { expect, test } from 'bun:test';
import { createCallerFinder } from './caller.ts';

const LOOPBACK = ['127.0.0.0/8', '::1'];
const DOCKER = [...LOOPBACK, '172.16.0.0/12', 'fd00::/8'];

test.each([
  ['without a proxy', LOOPBACK, '203.0.113.7', undefined, '203.0.113.7', false],
  ['from this host', LOOPBACK, '127.0.0.1', undefined, '127.0.0.1', true],
  ['from this host, IPv6', LOOPBACK, '::1', undefined, '::1', true],
  ['IPv4 on an IPv6 socket', LOOPBACK, '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7', false],
  ['through a proxy on this host', LOOPBACK, '127.0.0.1', '203.0.113.7', '203.0.113.7', false],
  ['with a claimed address before it', LOOPBACK, '127.0.0.1', '127.0.0.1, 203.0.113.7', '203.0.113.7', false],
  ['with a claimed address, which the proxy passes on', LOOPBACK, '127.0.0.1', '127.0.0.1', '127.0.0.1', false],
  ['claiming an address without a trusted proxy', LOOPBACK, '203.0.113.7', '127.0.0.1', '203.0.113.7', false],
  ['through two trusted proxies', DOCKER, '172.18.0.3', '1.1.1.1, 203.0.113.7, 127.0.0.1', '203.0.113.7', false],
  ['through an untrusted one before a trusted one', LOOPBACK, '127.0.0.1', '1.1.1.1, 10.0.0.9', '10.0.0.9', false],
  ['IPv6 network', DOCKER, 'fd00::2', '2001:db8::7', '2001:db8::7', false],
  ['on this host, written as IPv4 inside IPv6', LOOPBACK, '127.0.0.1', '::ffff:7f00:1', '127.0.0.1', false],
  ['on this host, written at length', LOOPBACK, '127.0.0.1', '0:0:0:0:0:ffff:127.0.0.1', '127.0.0.1', false],
  ['on this host, with a zone', LOOPBACK, '127.0.0.1', '0:0::1%lo', '::1', false],
  ['with a zone, which the gateway could not read', LOOPBACK, '127.0.0.1', 'FE80::0:1%eth0', 'fe80::1', false],
  ['with a name in place of an address', LOOPBACK, '127.0.0.1', 'unknown', '127.0.0.1', false],
  ['with an empty header', LOOPBACK, '127.0.0.1', '', '127.0.0.1', false],
  ['with nothing trusted', [], '127.0.0.1', '203.0.113.7', '127.0.0.1', false],
])('a caller %s', (_name, trusted, peer, forwardedFor, address, isLocal) => {
  const headers = new Headers(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor });
  expect(createCallerFinder(trusted)(headers, peer)).toEqual({ address, isLocal });
});

test.each([['x-real-ip'], ['forwarded']])('%s alone names no address, but shows a proxy', (name) => {
  const headers = new Headers({ [name]: 'for=203.0.113.7' });
  expect(createCallerFinder(LOOPBACK)(headers, '127.0.0.1')).toEqual({ address: '127.0.0.1', isLocal: false });
});
