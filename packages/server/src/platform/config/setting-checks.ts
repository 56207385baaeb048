import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { accessDetail } from '../files/access-problem.ts';
import type { HostPort } from './config.ts';

// Settings that would have no effect, or another one than meant, without a word.

const PEM = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** Why the runtime, which says nothing, does not trust the certificates in the file of `NODE_EXTRA_CA_CERTS`; null = it does. */
export function extraAuthoritiesProblem(file: string, cwd: string): string | null {
  const path = resolve(cwd, file);
  let certificates: readonly string[];
  try {
    if (!statSync(path).isFile()) return `${path} is not a regular file`;
    certificates = readFileSync(path, 'latin1').match(PEM) ?? [];
  } catch (error) {
    return `cannot read ${path}${accessDetail(path, 'read', error)}`;
  }
  if (certificates.length === 0) return `${path} contains no certificate in PEM format`;
  const broken = certificates.findIndex((certificate) => !isCertificate(certificate));
  return broken < 0 ? null : `certificate ${broken + 1} in ${path} cannot be read`;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== null;
  } catch {
    return false;
  }
}

/** Browsers send scheme, host and port in lower case, without a usual port and without a path. */
export function isOrigin(entry: string): boolean {
  if (entry === '*' || entry === 'null') return true;
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(entry)) return false;
  // Extensions and apps have schemes of their own.
  if (!/^https?:/.test(entry)) return true;
  try {
    return new URL(entry).origin === entry;
  } catch {
    return false;
  }
}

/** Whether the second listener cannot be bound because of the first. */
export function sharesAddress(first: HostPort, second: HostPort): boolean {
  if (first.port !== second.port || first.port === 0) return false;
  const host = first.host.toLowerCase();
  return host === second.host.toLowerCase() || host === '::' || (host === '0.0.0.0' && second.host !== '::1');
}
