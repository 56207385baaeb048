import { IMPORT_SESSIONS_PATH as sessions } from '@manager/core/contract/transfer/import-sessions';
import type { Scenario } from './scenario.ts';

const UNKNOWN = `${sessions}/0199a0000000700080000000000000ff`;
const resume_key = '0123456789abcdef0123456789abcdef';
const created = (more: object) =>
  JSON.stringify({ filename: '/tmp/events.jsonl', size_bytes: 20, resume_key, ...more });

/** The order matters: the second creation finds the session of the first. */
export const IMPORT_SESSION_SCENARIOS: readonly Scenario[] = [
  {
    name: 'import sessions: none',
    path: `${sessions}?status=&limit=20&cursor=`,
    status: 200,
    has: [
      '{"sessions":[],"total":0,"status_counts":{},"active_sessions":0,"max_sessions":2,"chunk_size_bytes":4194304,',
    ],
  },
  { name: 'import sessions need the key', path: sessions, signedIn: false, status: 401, has: ['invalid_admin_key'] },
  { name: 'an import session without key', path: UNKNOWN, signedIn: false, status: 401, has: ['invalid_admin_key'] },
  ...[1, 2].map(
    (time): Scenario => ({
      name: `an import session, created for time ${time}`,
      method: 'POST',
      path: sessions,
      body: created({}),
      status: 201,
      has: ['"filename":"events.jsonl","status":"uploading","size_bytes":20,"received_bytes":0,'],
    }),
  ),
  {
    name: 'import sessions: the one',
    path: `${sessions}/`,
    status: 200,
    has: ['"total":1,"status_counts":{"uploading":1},"active_sessions":1'],
  },
  {
    name: 'another file under the same key',
    method: 'POST',
    path: sessions,
    body: created({ size_bytes: 21 }),
    status: 409,
    has: ['usage_import_session_conflict'],
  },
  {
    name: 'an import session above the quota',
    method: 'POST',
    path: sessions,
    body: '{"filename":"a","size_bytes":17179869185}',
    status: 413,
    has: ['usage_import_session_too_large'],
  },
  {
    name: 'an import session beside the quota',
    method: 'POST',
    path: sessions,
    body: '{"filename":"a","size_bytes":17179869184}',
    status: 507,
    has: ['usage_import_session_quota_exceeded'],
  },
  {
    name: 'an import session without a size',
    method: 'POST',
    path: sessions,
    body: '{}',
    status: 400,
    has: ['usage_import_session_invalid_request', 'size_bytes'],
  },
  {
    name: 'an import session of nothing',
    method: 'POST',
    path: sessions,
    body: '{"filename":"a","size_bytes":0}',
    status: 400,
    has: ['usage_import_session_invalid_request'],
  },
  {
    name: 'import sessions of an unknown status',
    path: `${sessions}?status=x`,
    status: 400,
    has: ['_invalid_request'],
  },
  { name: 'an import session that is not there', path: UNKNOWN, status: 404, has: ['usage_import_session_not_found'] },
  {
    name: 'an import session without an id',
    path: `${sessions}/1`,
    status: 404,
    has: ['usage_import_session_not_found'],
  },
  {
    name: 'a chunk without an offset',
    method: 'PUT',
    path: `${UNKNOWN}/chunk`,
    body: 'x',
    status: 400,
    has: ['request_failed', 'offset'],
  },
  {
    name: 'a chunk of an unknown session',
    method: 'PUT',
    path: `${UNKNOWN}/chunk?offset=0`,
    body: 'x',
    status: 404,
    has: ['_not_found'],
  },
  { name: 'an unknown action of an import session', method: 'POST', path: `${UNKNOWN}/publish`, status: 404 },
  { name: 'import sessions know no PATCH', method: 'PATCH', path: sessions, status: 405, has: ['method_not_allowed'] },
];
