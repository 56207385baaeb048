import { spawnSync } from 'node:child_process';
import { tryRun } from './project.ts';

/**
 * Some packages start a service when they are installed; the policy keeps that back, and goes afterwards unless it was there
 * before.
 */
const INSTALL = `
policy=/usr/sbin/policy-rc.d
if ! test -e "$policy"; then
  printf '#!/bin/sh\\nexit 101\\n' > "$policy" && chmod 755 "$policy"
  trap 'rm -f "$policy"' EXIT
fi
apt-get update -qq
apt-get install -y -qq --no-install-recommends "$1"
`;

/** Installs a package of the distribution, where that is Debian's kind; whether it worked shows in what is there then. */
export function installPackage(name: string): void {
  if (spawnSync('which', ['apt-get']).status !== 0) return;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n', '--preserve-env=DEBIAN_FRONTEND'];
  tryRun([...sudo, 'sh', '-c', INSTALL, 'sh', name], { env: { DEBIAN_FRONTEND: 'noninteractive' } });
}
