import { spawnSync } from 'node:child_process';
import { tryRun } from './project.ts';

/** Prevents packages from starting a service when they are installed; an existing policy file stays. */
const INSTALL = `
policy=/usr/sbin/policy-rc.d
if ! test -e "$policy"; then
  printf '#!/bin/sh\\nexit 101\\n' > "$policy" && chmod 755 "$policy"
  trap 'rm -f "$policy"' EXIT
fi
apt-get update -qq
apt-get install -y -qq --no-install-recommends "$1"
`;

/** Installs a package on Debian-based systems; callers check the result themselves. */
export function installPackage(name: string): void {
  if (spawnSync('which', ['apt-get']).status !== 0) return;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n', '--preserve-env=DEBIAN_FRONTEND'];
  tryRun([...sudo, 'sh', '-c', INSTALL, 'sh', name], { env: { DEBIAN_FRONTEND: 'noninteractive' } });
}
