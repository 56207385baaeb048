import { existsSync } from 'node:fs';
import { installPackage } from './system-package.ts';

const CANDIDATES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'];

/** Path of an nginx for the proxy tests. Installs the distribution's package when missing; ends the process if that fails. */
export function ensureNginx(): string {
  const given = process.env.NGINX_PATH;
  const found = given && existsSync(given) ? given : CANDIDATES.find((path) => existsSync(path));
  if (found) return found;
  console.error('Installing nginx for the tests of reverse proxies …');
  installPackage('nginx-light');
  const installed = CANDIDATES.find((path) => existsSync(path));
  if (installed) return installed;
  console.error('The tests need nginx: install the package "nginx-light", or name an executable in NGINX_PATH.');
  process.exit(1);
}
