import type { Hono } from 'hono';
import type { Caller } from './caller.ts';

/** Values for every route in its Hono context. */
export interface ManagerEnv {
  Variables: {
    caller: Caller;
  };
}

/** Routes of one feature, registered with their full paths. The router applies authentication and CORS. */
export type FeatureRoutes = Hono<ManagerEnv>;
