import type { Hono } from 'hono';

/** Values every route can read from its Hono context. */
export interface ManagerEnv {
  Variables: {
    /** Address of the peer socket, without port. */
    remoteAddress: string;
  };
  Bindings: {
    server: Bun.Server<unknown>;
  };
}

/** Routes of one feature, registered with their full paths. Authentication and CORS are applied around them by the router. */
export type FeatureRoutes = Hono<ManagerEnv>;
