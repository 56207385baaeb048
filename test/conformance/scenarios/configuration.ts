import {
  configurationVersionKeptSchema,
  configurationVersionsSchema,
  configurationVersionTextSchema,
} from '@manager/core/contract/gateway-configuration';
import type { Scenario } from './scenario.ts';

const PATH = '/usage-service/gateway-configuration/versions';

/** Versions of the gateway's configuration, in their order. */
export const CONFIGURATION_SCENARIOS: readonly Scenario[] = [
  { name: 'versions of the configuration', path: PATH, status: 200, has: ['{"items":[]}'] },
  { name: 'they need the key', path: PATH, signedIn: false, status: 401, has: ['invalid_admin_key'] },
  {
    name: 'a version',
    method: 'POST',
    path: `${PATH}?origin=saved`,
    body: 'port: 8317\n',
    status: 200,
    has: ['"added":true', '"origin":"saved"', '"bytes":11', '"changed":null'],
    shape: configurationVersionKeptSchema,
  },
  { name: 'it is listed', path: PATH, status: 200, has: ['"origin":"saved"'], shape: configurationVersionsSchema },
  {
    name: 'and has its text',
    path: `${PATH}/1`,
    status: 200,
    has: ['"text":"port: 8317\\n"'],
    shape: configurationVersionTextSchema,
  },
  {
    name: 'the next one, with what it changed',
    method: 'POST',
    path: `${PATH}?origin=seen`,
    body: 'port: 8318\napi-keys:\n  - client-key-1\n',
    status: 200,
    has: ['"origin":"elsewhere"', '"changed":["port","api-keys (+1)"]'],
    shape: configurationVersionKeptSchema,
  },
  {
    name: 'the same again adds nothing',
    method: 'POST',
    path: `${PATH}?origin=seen`,
    body: 'port: 8318\napi-keys:\n  - client-key-1\n',
    status: 200,
    has: ['"added":false', '"id":2', '"origin":"elsewhere"'],
    shape: configurationVersionKeptSchema,
  },
  {
    name: 'the first one, restored, is a new version',
    method: 'POST',
    path: `${PATH}?origin=saved`,
    body: 'port: 8317\n',
    status: 200,
    has: ['"added":true', '"id":3', '"origin":"saved"', '"changed":["port","api-keys (−1)"]'],
    shape: configurationVersionKeptSchema,
  },
  { name: 'an unknown version', path: `${PATH}/99`, status: 404, has: ['configuration_version_not_found'] },
  {
    name: 'a version without a text',
    method: 'POST',
    path: `${PATH}?origin=seen`,
    status: 400,
    has: ['configuration_text_missing'],
  },
  { name: 'versions cannot be changed', method: 'PUT', path: PATH, body: 'a', status: 405 },
  { name: 'nothing else below them', path: '/usage-service/gateway-configuration', status: 404 },
  { name: 'versions are deleted', method: 'DELETE', path: PATH, status: 200, has: ['{"ok":true}'] },
  {
    name: 'the code editor',
    path: '/usage-service/code-editor.js',
    signedIn: false,
    status: 200,
    has: ['createCodeEditor'],
  },
  {
    name: 'pages that only a manager has',
    path: '/usage-service/manager-pages.js',
    signedIn: false,
    status: 200,
    has: ['NotificationsPage'],
  },
];
