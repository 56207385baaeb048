import type { Scenario } from './scenario.ts';

const inspection = '/v0/management/account-inspection';
const known = '/v0/management/codex-inspection';
const unknownRun = 4_711;

export const INSPECTION_SCENARIOS: readonly Scenario[] = [
  { name: 'inspection runs', path: `${inspection}/runs`, status: 200, has: ['{"items":['] },
  { name: 'inspection runs by their older name', path: `${known}/runs/?limit=x`, status: 200, has: ['{"items":['] },
  {
    name: 'inspection needs the key',
    method: 'POST',
    path: `${inspection}/run`,
    signedIn: false,
    status: 401,
    has: ['invalid_admin_key'],
  },
  {
    name: 'an inspection run that is not there',
    path: `${inspection}/runs/${unknownRun}`,
    status: 404,
    has: ['request_failed'],
  },
  { name: 'an inspection run by id 0', path: `${inspection}/runs/0`, status: 400, has: ['request_failed'] },
  {
    name: 'an inspection run by an id with a leading zero',
    path: `${inspection}/runs/07`,
    status: 400,
    has: ['request_failed'],
  },
  {
    name: 'an inspection run by a bad id',
    path: `${inspection}/runs/0199a000000070008000`,
    status: 400,
    has: ['request_failed'],
  },
  { name: 'inspection has no progress', path: `${known}/progress`, status: 405, has: ['method_not_allowed'] },
  { name: 'an inspection is not started by GET', path: `${known}/run`, status: 405, has: ['method_not_allowed'] },
  {
    name: 'cancelling an inspection run that is not there',
    method: 'POST',
    path: `${known}/runs/${unknownRun}/cancel`,
    status: 404,
  },
  {
    name: 'inspection actions without results',
    method: 'POST',
    path: `${known}/runs/${unknownRun}/actions`,
    body: '{"resultIds":[]}',
    status: 400,
    has: ['resultIds'],
  },
  {
    name: 'inspection actions of a run that is not there',
    method: 'POST',
    path: `${known}/runs/${unknownRun}/actions`,
    body: '{"resultIds":[1]}',
    status: 404,
  },
];
