import {
  BUDGETS_PATH,
  CODE_EDITOR_PATH,
  CONFIGURATION_VERSIONS_PATH,
  MANAGER_PAGES_PATH,
  PANEL_SCRIPT_PATH,
} from '@manager/core/contract/constants';
import { NOTIFICATIONS_PATH } from '@manager/core/contract/notifications/kinds';
import { VIEWER_ANALYTICS_PATH, VIEWER_LINKS_PATH, VIEWER_PATH } from '@manager/core/contract/viewer-links/words';
import type { Access } from './auth.ts';
import type { FeatureRoutes } from './environment.ts';
import type { RequestContext } from './listener/serve-connection.ts';

/** A handler that needs the raw request; `undefined` after an upgrade. */
export type RawHandler = (
  request: Request,
  context: RequestContext,
) => Response | undefined | Promise<Response | undefined>;

export interface ForwardRequest extends RequestContext {
  readonly request: Request;
  /** True when the request has the admin key. */
  readonly isAdmin: boolean;
}

/** A handler of the reverse proxy. It throws `invalid_admin_key` where the admin key is required. */
export type ForwardHandler = (options: ForwardRequest) => Response | undefined | Promise<Response | undefined>;

/** The handlers from the composition root. Features register full paths, without a trailing slash. */
export interface AreaHandlers {
  /** `/health`, `/usage-service/info` */
  readonly info: FeatureRoutes;
  /** `/status` */
  readonly status: FeatureRoutes;
  /** `/setup`, `/setup/check`, `/usage-service/config` */
  readonly setup: FeatureRoutes;
  /** `/management.html` */
  readonly panel: RawHandler;
  /** `/usage-service/panel.js` */
  readonly panelScript: RawHandler;
  /** `/usage-service/code-editor.js` */
  readonly codeEditor: RawHandler;
  /** `/usage-service/manager-pages.js` */
  readonly managerPages: RawHandler;
  /** `/usage-service/gateway-configuration/versions`, `/usage-service/gateway-configuration/versions/…` */
  readonly configurationHistory: FeatureRoutes;
  /** `/usage-service/notifications`, `/usage-service/notifications/…` */
  readonly notifications: FeatureRoutes;
  /** `/usage-service/viewer-links`, `/usage-service/viewer-links/…` */
  readonly viewerLinks: FeatureRoutes;
  /** `/usage-service/viewer`, `/usage-service/viewer/analytics`: all that a viewer link opens. */
  readonly viewer: FeatureRoutes;
  /** `/v0/management/model-prices`, `/v0/management/model-prices/…` */
  readonly prices: FeatureRoutes;
  /** `/v0/management/api-key-aliases` */
  readonly aliases: FeatureRoutes;
  /** `/v0/management/codex-inspection/…` and `/v0/management/account-inspection/…` */
  readonly inspection: FeatureRoutes;
  /** `/v0/management/dashboard/…` */
  readonly dashboard: FeatureRoutes;
  /** `/v0/management/monitoring/…` */
  readonly monitoring: FeatureRoutes;
  /** `/v0/management/quota-snapshots`, `/v0/management/quota-snapshots/query` */
  readonly quotaSnapshots: FeatureRoutes;
  /** `/usage-service/account-processing-policy` */
  readonly processingPolicy: FeatureRoutes;
  /** `/usage-service/budgets` */
  readonly budgets: FeatureRoutes;
  /** `/usage-service/quota-cooldowns` */
  readonly quotaCooldowns: FeatureRoutes;
  /** `/v0/management/account-action-candidates`, `/v0/management/account-action-candidates/…` */
  readonly accountActions: FeatureRoutes;
  /** `/v0/management/usage/import` */
  readonly imports: FeatureRoutes;
  /** `/v0/management/usage/import-sessions`, `/v0/management/usage/import-sessions/…` */
  readonly importSessions: FeatureRoutes;
  /** `/v0/management/usage/archives`, `/v0/management/usage/archives/…` */
  readonly archives: FeatureRoutes;
  /** `/v0/management/usage/maintenance`, `/v0/management/usage/maintenance/retention` */
  readonly maintenance: FeatureRoutes;
  /** `/v0/management/usage`, `/v0/management/usage/…` */
  readonly usage: FeatureRoutes;
  /** `/v0/management/…` that is not the manager's own */
  readonly management: ForwardHandler;
  /** `/models`, `/v1/models` */
  readonly models: ForwardHandler;
  /** `/v0/resource/plugins/…` */
  readonly pluginResources: ForwardHandler;
}

export interface Area {
  readonly matches: (path: string) => boolean;
  readonly access: (method: string) => Access;
  /** Checked before the key; absent when a refused caller must not learn which paths exist. */
  readonly methods?: readonly string[];
  readonly cors: boolean;
  /** Status for unknown paths of the area; default 405, as clients of the API expect. */
  readonly unknownPath?: 404;
  /** Answers HEAD with 204: clients use it to detect the feature. Elsewhere HEAD is 405. */
  readonly probe?: boolean;
  readonly handler:
    | { readonly kind: 'feature'; readonly routes: FeatureRoutes }
    | { readonly kind: 'raw'; readonly handle: RawHandler }
    | ForwardArea;
}

export interface ForwardArea {
  readonly kind: 'forward';
  readonly handle: ForwardHandler;
  /**
   * What a web page of another address can make a browser send without any key.
   * - `may-read`: everything; the gateway has it open for all.
   * - `may-lead-here`: opening the address, as a provider does after a sign-in; no other request.
   * - `refused`: nothing. The gateway refuses it anyway, and counts it as a failed key.
   */
  readonly foreignPages: 'may-read' | 'may-lead-here' | 'refused';
  /** Whether its pages keep the manager's origin, and so may read what the panel stores. */
  readonly hasTrustedPages: boolean;
}

const MANAGEMENT = '/v0/management';
const PLUGIN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The areas in order; the first match answers. */
export function createAreas(handlers: AreaHandlers, trustedPluginPages: boolean): readonly Area[] {
  return [
    service(['/health', '/usage-service/info'], { GET: 'public' }, feature(handlers.info)),
    service(['/status'], { GET: 'admin' }, feature(handlers.status)),
    service(['/usage-service/config'], { GET: 'open-until-setup', PUT: 'admin' }, feature(handlers.setup)),
    service(
      ['/usage-service/account-processing-policy'],
      { GET: 'open-until-setup', PATCH: 'admin' },
      feature(handlers.processingPolicy),
    ),
    service([BUDGETS_PATH], { GET: 'admin', PUT: 'admin' }, feature(handlers.budgets)),
    service(['/usage-service/quota-cooldowns'], { GET: 'admin' }, feature(handlers.quotaCooldowns)),
    service(['/setup'], { POST: 'setup' }, feature(handlers.setup)),
    service(['/setup/check'], { POST: 'admin' }, feature(handlers.setup)),
    { ...service(['/management.html'], { GET: 'public', HEAD: 'public' }, raw(handlers.panel)), cors: false },
    service([PANEL_SCRIPT_PATH], { GET: 'public', HEAD: 'public' }, raw(handlers.panelScript)),
    service([CODE_EDITOR_PATH], { GET: 'public', HEAD: 'public' }, raw(handlers.codeEditor)),
    service([MANAGER_PAGES_PATH], { GET: 'public', HEAD: 'public' }, raw(handlers.managerPages)),
    { ...own(segments(CONFIGURATION_VERSIONS_PATH), feature(handlers.configurationHistory)), unknownPath: 404 },
    { ...own(segments(NOTIFICATIONS_PATH), feature(handlers.notifications)), unknownPath: 404 },
    { ...own(segments(VIEWER_LINKS_PATH), feature(handlers.viewerLinks)), unknownPath: 404 },
    service([VIEWER_PATH], { GET: 'viewer' }, feature(handlers.viewer)),
    service([VIEWER_ANALYTICS_PATH], { POST: 'viewer' }, feature(handlers.viewer)),
    own(segments(`${MANAGEMENT}/model-prices`), feature(handlers.prices)),
    own(segments(`${MANAGEMENT}/api-key-aliases`), feature(handlers.aliases)),
    own(segments(`${MANAGEMENT}/account-action-candidates`), feature(handlers.accountActions)),
    own(segments(`${MANAGEMENT}/codex-inspection`, `${MANAGEMENT}/account-inspection`), feature(handlers.inspection)),
    own(below(`${MANAGEMENT}/dashboard/`), feature(handlers.dashboard)),
    own(below(`${MANAGEMENT}/monitoring/`), feature(handlers.monitoring)),
    own(segments(`${MANAGEMENT}/quota-snapshots`), feature(handlers.quotaSnapshots)),
    { ...own(segments(`${MANAGEMENT}/usage/import`), feature(handlers.imports)), unknownPath: 404 },
    { ...own(segments(`${MANAGEMENT}/usage/import-sessions`), feature(handlers.importSessions)), unknownPath: 404 },
    { ...own(segments(`${MANAGEMENT}/usage/archives`), feature(handlers.archives)), unknownPath: 404 },
    {
      ...own(segments(`${MANAGEMENT}/usage/maintenance`), feature(handlers.maintenance)),
      unknownPath: 404,
      probe: true,
    },
    { ...own(segments(`${MANAGEMENT}/usage`), feature(handlers.usage)), unknownPath: 404 },
    forwarded(exact(`${MANAGEMENT}/oauth-callback`), handlers.management, 'may-lead-here'),
    forwarded(below(`${MANAGEMENT}/`), handlers.management, 'refused'),
    {
      ...forwarded(exact('/v1/models', '/v1/models/', '/models', '/models/'), handlers.models, 'may-read'),
      methods: ['GET'],
    },
    {
      ...forwarded(segments('/v0/resource/plugins'), handlers.pluginResources, 'may-read', trustedPluginPages),
      methods: PLUGIN_METHODS,
    },
    { ...service(['/'], { GET: 'public', HEAD: 'public' }, raw(toPanel)), cors: false },
  ];
}

type Handler = Area['handler'];

function service(paths: readonly string[], access: Readonly<Record<string, Access>>, handler: Handler): Area {
  return {
    matches: exact(...paths),
    methods: Object.keys(access),
    access: (method) => access[method] ?? 'admin',
    cors: true,
    handler,
  };
}

function own(matches: Area['matches'], handler: Handler): Area {
  return { matches, access: () => 'admin', cors: true, handler };
}

function forwarded(
  matches: Area['matches'],
  handle: ForwardHandler,
  foreignPages: ForwardArea['foreignPages'],
  hasTrustedPages = false,
): Area {
  return {
    matches,
    access: () => 'pass-through',
    cors: true,
    handler: { kind: 'forward', handle, foreignPages, hasTrustedPages },
  };
}

function feature(routes: FeatureRoutes): Handler {
  return { kind: 'feature', routes };
}

function raw(handle: RawHandler): Handler {
  return { kind: 'raw', handle };
}

function exact(...paths: readonly string[]): Area['matches'] {
  return (path) => paths.includes(path);
}

/** The path itself and everything below it; `/a-x` is not below `/a`. */
function segments(...roots: readonly string[]): Area['matches'] {
  return (path) => roots.some((root) => path === root || path.startsWith(`${root}/`));
}

function below(prefix: string): Area['matches'] {
  return (path) => path.startsWith(prefix);
}

function toPanel(): Response {
  return new Response(null, { status: 302, headers: { Location: '/management.html' } });
}
