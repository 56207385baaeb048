import { expect, test } from 'bun:test';
import type { ConfigResponse } from '@manager/core/contract/settings/config';
import type { StatusResponse } from '@manager/core/contract/system/status';
import { supportBundle } from './support-bundle.ts';

const STATUS = {
  version: '1.2.3',
  dbPath: '/home/somebody/usage.sqlite',
  events: 7,
  collector: {
    upstream: 'https://gateway.somebody.example:8317',
    lastError: 'connect: 192.168.7.31 refused somebody@example.test',
  },
} as unknown as StatusResponse;
const CONFIG = {
  config: { cpaConnection: { cpaBaseUrl: 'https://gateway.somebody.example:8317', managementKeyConfigured: true } },
  source: 'db',
} as unknown as ConfigResponse;

const bundle = supportBundle({
  createdAt: '2026-09-01T12:00:00+02:00',
  timeZone: 'Europe/Berlin',
  browser: 'a browser',
  versions: { manager: '1.2.3' },
  status: STATUS,
  config: CONFIG,
});

test('holds versions, state and settings', () => {
  expect(JSON.parse(bundle)).toMatchObject({
    versions: { manager: '1.2.3' },
    status: { events: 7 },
    config: { source: 'db', config: { cpaConnection: { managementKeyConfigured: true } } },
  });
});

test('identifies nobody: no path, host, address or account', () => {
  for (const secret of ['/home', 'gateway.somebody', '192.168.7.31', 'somebody@example.test'])
    expect(bundle).not.toContain(secret);
  expect(bundle).toContain(':8317');
});

test('works while nothing is known', () => {
  const parts = { createdAt: '', timeZone: 'UTC', browser: '', versions: {}, status: undefined, config: undefined };
  expect(JSON.parse(supportBundle(parts))).toEqual({ createdAt: '', timeZone: 'UTC', browser: '', versions: {} });
});
