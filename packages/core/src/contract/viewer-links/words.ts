/** Paths, limits and words of viewer links, without a schema library: the panel uses them too. */

/** For the operator: `GET` lists the links, `POST` creates one, `DELETE …/{id}` revokes it. */
export const VIEWER_LINKS_PATH = '/usage-service/viewer-links';

/** For the holder of a link: `GET` what it covers, `POST …/analytics` its usage. Nothing else takes its token. */
export const VIEWER_PATH = '/usage-service/viewer';
export const VIEWER_ANALYTICS_PATH = `${VIEWER_PATH}/analytics`;

/** Followed by 43 base64url characters: 32 random bytes. */
export const VIEWER_TOKEN_PREFIX = 'mgv_';
/** In the fragment of the panel's address, which a browser never sends: `#viewer=mgv_…`. */
export const VIEWER_FRAGMENT = 'viewer=';

export const MAX_VIEWER_LINKS = 200;
/** Client keys of one link. */
export const MAX_VIEWER_KEYS = 500;
/** Code points. */
export const VIEWER_NAME_MAX = 120;
/** Days after which a link expires; 0 = never. */
export const VIEWER_EXPIRY_DAYS = [1, 7, 30, 90, 0] as const;
export type ViewerExpiryDays = (typeof VIEWER_EXPIRY_DAYS)[number];

export const VIEWER_REQUESTS_MAX = 200;
export const VIEWER_REQUESTS_DEFAULT = 50;

export const VIEWER_STATUSES = ['all', 'failed', 'succeeded'] as const;

/** What kind of failure a status is; bodies and reasons of providers are not shown. */
export const VIEWER_FAILURES = ['rate_limited', 'client_error', 'server_error', 'unknown'] as const;
