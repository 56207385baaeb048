import type { Exchange } from '../http/exchange.ts';
import type { CallKind } from './call-kinds.ts';
import type { ManagementContext } from './context.ts';

/** Path parameters by name, decoded. */
export type Parameters = Readonly<Record<string, string>>;
export type Handler = (exchange: Exchange, context: ManagementContext, parameters: Parameters) => void | Promise<void>;

export interface Route {
  /** A method, several separated by `|`, or `*`. */
  readonly methods: string;
  /** Relative path; `:name` takes one segment. */
  readonly path: string;
  readonly handler: Handler;
  /** Feature of `versions.ts` that the route requires. */
  readonly feature?: string;
  /** Kind of account request; default: none, and `other` for requests that are not GET. */
  readonly kind?: CallKind;
}

interface FoundRoute {
  readonly route: Route;
  readonly parameters: Parameters;
}

/** Finds the route of a path; a known path with another method has no route either. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
  features: ReadonlySet<string>,
): FoundRoute | null {
  for (const route of routes) {
    if (route.methods !== '*' && !route.methods.split('|').includes(method)) continue;
    if (route.feature !== undefined && !features.has(route.feature)) continue;
    const parameters = matchPath(route.path, path);
    if (parameters !== null) return { route, parameters };
  }
  return null;
}

function matchPath(pattern: string, path: string): Parameters | null {
  const expected = pattern.split('/');
  const actual = path.split('/');
  if (expected.length !== actual.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = actual[index] ?? '';
    if (part.startsWith(':') && value !== '') parameters[part.slice(1)] = decoded(value);
    else if (part !== value) return null;
  }
  return parameters;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
