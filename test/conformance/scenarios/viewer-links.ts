import { viewerLinkCreatedSchema, viewerLinksResponseSchema } from '@manager/core/contract/viewer-links/links';
import type { Scenario } from './scenario.ts';

const PATH = '/usage-service/viewer-links';
const VIEWER = '/usage-service/viewer';

const link = (members: object) =>
  JSON.stringify({ name: 'Team', keys: ['a'.repeat(64)], expiresInDays: 7, ...members });

/** Viewer links, in their order; what a link opens: `viewer-links.test.ts`. */
export const VIEWER_LINK_SCENARIOS: readonly Scenario[] = [
  {
    name: 'no viewer links at first',
    path: PATH,
    status: 200,
    has: ['{"items":[]}'],
    shape: viewerLinksResponseSchema,
  },
  { name: 'viewer links need the key', path: PATH, signedIn: false, status: 401, has: ['invalid_admin_key'] },
  {
    name: 'a viewer link without a name',
    method: 'POST',
    path: PATH,
    body: link({ name: ' ' }),
    status: 400,
    has: ['viewer_link_name_invalid'],
  },
  {
    name: 'a viewer link to no key',
    method: 'POST',
    path: PATH,
    body: link({ keys: [] }),
    status: 400,
    has: ['viewer_link_keys_invalid'],
  },
  {
    name: 'a viewer link for two days',
    method: 'POST',
    path: PATH,
    body: link({ expiresInDays: 2 }),
    status: 400,
    has: ['expiresInDays'],
  },
  {
    name: 'a viewer link',
    method: 'POST',
    path: PATH,
    body: link({}),
    status: 201,
    has: ['"token":"mgv_', '"lastUsedAtMs":null'],
    shape: viewerLinkCreatedSchema,
  },
  {
    name: 'an unknown viewer link',
    method: 'DELETE',
    path: `${PATH}/none`,
    status: 404,
    has: ['viewer_link_not_found'],
  },
  { name: 'nothing else below viewer links', path: `${PATH}/a/b`, status: 404 },
  { name: 'the admin key is no viewer link', path: VIEWER, status: 403, has: ['viewer_token_required'] },
  { name: 'nobody is no viewer', path: VIEWER, signedIn: false, status: 401, has: ['invalid_viewer_token'] },
  {
    name: 'nor for the usage',
    method: 'POST',
    path: `${VIEWER}/analytics`,
    body: '{}',
    status: 403,
    has: ['viewer_token_required'],
  },
];
