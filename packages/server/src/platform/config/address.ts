import type { HostPort } from './config.ts';
import { ConfigError } from './config-error.ts';

/** Allowed host names of the profiling listener. */
const PROFILING_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** Parses `host:port`, `[v6]:port` or `:port` (every address). `name` is the setting in an error message. */
export function parseHostPort(text: string, name: string): HostPort {
  const match = /^(?:\[([^\]]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65535) {
    throw new ConfigError(`${name}: expected host:port such as 0.0.0.0:18317, got "${text}"`);
  }
  return { host: match[1] ?? (match[2] || '0.0.0.0'), port };
}

/** Profiling shows memory contents, so only a loopback name is accepted. */
export function parseProfilingAddress(text: string, name: string): HostPort {
  const address = parseHostPort(text, name);
  if (!PROFILING_HOSTS.has(address.host.toLowerCase())) {
    throw new ConfigError(
      `${name}: the host must be localhost, 127.0.0.1 or ::1, because a heap contains every key in clear text`,
    );
  }
  return address;
}
