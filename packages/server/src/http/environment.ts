import type { Hono } from 'hono';
import type { Viewer } from './auth.ts';
import type { Caller } from './caller.ts';

/** Values for every route in its Hono context. */
export interface ManagerEnv {
  Variables: {
    caller: Caller;
    /** null except on routes for viewers. */
    viewer: Viewer | null;
  };
}

/** Routes of one feature, registered with their full paths. The router applies authentication and CORS. */
export type FeatureRoutes = Hono<ManagerEnv>;
