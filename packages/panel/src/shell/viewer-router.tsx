import { createHashHistory, createRootRoute, createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { ViewerRequestsPage } from '../features/viewer/requests-page.tsx';
import { ViewerUsagePage } from '../features/viewer/usage-page.tsx';
import { ViewerFrame, ViewerSidebar } from '../features/viewer/viewer-frame.tsx';
import { parseUrlSearch, stringifyUrlSearch, type UrlSearch } from '../platform/browser/url-search.ts';
import { VIEWER_START } from '../platform/session/viewer-token.ts';
import type { ShellParts } from '../ui/page/shell-parts.ts';

const rootRoute = createRootRoute({
  component: ViewerFrame,
  notFoundComponent: ToUsage,
  validateSearch: (search: Record<string, unknown>): UrlSearch => search as UrlSearch,
});

const inFrame = { getParentRoute: () => rootRoute };
const routeTree = rootRoute.addChildren([
  createRoute({ ...inFrame, path: '/', component: ToUsage }),
  createRoute({ ...inFrame, path: VIEWER_START, component: ViewerUsagePage }),
  createRoute({ ...inFrame, path: '/viewer-requests', component: ViewerRequestsPage }),
]);

/** Every other address: a viewer has no other pages. */
function ToUsage() {
  return <Navigate to={VIEWER_START} search={{}} replace />;
}

export function createViewerRouter() {
  return createRouter({
    routeTree,
    history: createHashHistory(),
    parseSearch: parseUrlSearch,
    stringifySearch: stringifyUrlSearch,
    defaultPreload: false,
    defaultStructuralSharing: true,
  });
}

const Nothing = () => null;

export const VIEWER_SHELL_PARTS: ShellParts = {
  Sidebar: ViewerSidebar,
  Banners: Nothing,
  HeaderNote: Nothing,
  DoctorFindings: Nothing,
  startPages: () => [],
  startPath: () => VIEWER_START,
};
