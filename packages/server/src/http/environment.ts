import type { Hono } from 'hono';

/** Values for every route in its Hono context. */
export interface ManagerEnv {
  Variables: {
    /** Address of the peer socket, without port. */
    remoteAddress: string;
  };
  Bindings: {
    server: Bun.Server<unknown>;
  };
}

/** Routes of one feature, registered with their full paths. The router applies authentication and CORS. */
export type FeatureRoutes = Hono<ManagerEnv>;
