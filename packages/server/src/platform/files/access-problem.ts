import { accessSync, constants, lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, parse, resolve } from 'node:path';
import { fileErrorMeaning } from './file-error.ts';
import { errorCode } from './held-files.ts';

/** What a process needs of a path: a file to read, or a file or directory to change. */
export type Access = 'read' | 'write';

const CODES: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']);
/** Directories of the system: never to be given away. */
const SYSTEM =
  /^\/(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var)?(?:\/(?:lib|local))?$/;

/**
 * Why this process may not use a path, and the command that changes it; null when neither owner nor mode, a read-only file system nor a
 * file in place of a directory is the reason. For a missing file the directory counts in which it would be created.
 *
 * @example accessProblem('/data/data.key', 'read')
 * // '/data/data.key belongs to uid 0 (mode 0600), and the manager runs as uid 1000; run: chown 1000:1000 /data/data.key …'
 */
export function accessProblem(path: string, access: Access): string | null {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid === undefined || gid === undefined) return null;
  const blocked = findBlocked(resolve(path), access);
  if (blocked === null) return null;
  if (blocked.code === 'EROFS') {
    return `${blocked.path} is on a read-only file system; mount it writable (in a container: without :ro or read_only), or choose another path`;
  }
  if (blocked.code === 'ENOTDIR') return `${blocked.path} is not a directory; choose another path`;
  const stats = statOf(blocked.path);
  // A link to what the manager may not see: its owner is not known.
  if (stats === null) return `${blocked.path} cannot be followed (${blocked.code}); choose another path`;
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  const owner = `${blocked.path} belongs to uid ${stats.uid} (mode ${mode}), and the manager runs as uid ${uid}`;
  return `${owner}; ${fixOf({ ...blocked, wanted: resolve(path), stats, uid, gid })}`;
}

/**
 * The same for an error of the file system, which knows its path. Null for other errors.
 */
export function fileErrorProblem(error: unknown): string | null {
  if (!(error instanceof Error) || !CODES.has(errorCode(error))) return null;
  // An error of a worker has only its message: `EACCES: permission denied, open '/data/file'`.
  const named = 'path' in error && typeof error.path === 'string' ? error.path : /'(\/.+)'$/.exec(error.message)?.[1];
  // Errors of the HTTP client have a URL there.
  return named === undefined || named.includes('://') ? null : accessProblem(named, 'write');
}

/** ` (no such file or directory, ENOENT)`, or the explanation in its place. */
export function accessDetail(path: string, access: Access, error: unknown): string {
  const problem = accessProblem(path, access);
  return problem === null ? ` (${fileErrorMeaning(error)})` : `: ${problem}`;
}

interface Blocked {
  readonly path: string;
  readonly code: string;
  readonly kind: 'ancestor' | 'missing' | 'itself';
}

function findBlocked(path: string, access: Access): Blocked | null {
  for (const ancestor of ancestorsOf(path)) {
    const code = refusal(ancestor, constants.X_OK);
    // What follows is missing.
    if (code === 'ENOENT') break;
    // Before its mode: a file is never executable for this, not even for root.
    if (statOf(ancestor)?.isDirectory() === false) return { path: ancestor, code: 'ENOTDIR', kind: 'ancestor' };
    if (code !== null) return { path: ancestor, code, kind: 'ancestor' };
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    if (access === 'read') return null;
    const directory = nearest(path);
    const code = refusal(directory, constants.W_OK | constants.X_OK);
    return code === null ? null : { path: directory, code, kind: 'missing' };
  }
  const wanted = found.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK;
  const code = refusal(path, access === 'write' ? wanted | constants.W_OK : wanted);
  return code === null ? null : { path, code, kind: 'itself' };
}

function fixOf(about: Blocked & { wanted: string; stats: Stats; uid: number; gid: number }): string {
  const { path, kind, wanted, stats, uid, gid } = about;
  const quoted = quote(path);
  if (stats.uid === uid) return `run: chmod u+rw${stats.isDirectory() ? 'x' : ''} ${quoted}`;
  if (kind === 'ancestor' && path !== dirname(wanted)) return `run: chmod a+x ${quoted}, or choose another path`;
  const directory = dirname(wanted);
  if (kind === 'missing' && path !== directory) {
    return `run: mkdir -p ${quote(directory)} && chown ${uid}:${gid} ${quote(directory)}`;
  }
  if (stats.isDirectory() && SYSTEM.test(path)) return 'choose a directory that belongs to the manager alone';
  const change = `chown ${stats.isDirectory() ? '-R ' : ''}${uid}:${gid} ${quoted}`;
  return `run: ${change} (in a container: start it with --user ${stats.uid}:${stats.gid}, or with Podman's volume option :U)`;
}

/** From the root down, without the path itself. */
function ancestorsOf(path: string): readonly string[] {
  const ancestors: string[] = [];
  const { root } = parse(path);
  for (let at = dirname(path); at !== root; at = dirname(at)) ancestors.unshift(at);
  return ancestors;
}

/** The nearest directory that exists. */
function nearest(path: string): string {
  let at = dirname(path);
  while (lstatSync(at, { throwIfNoEntry: false }) === undefined && at !== dirname(at)) at = dirname(at);
  return at;
}

/** Null when it is missing, or may not be asked for. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function refusal(path: string, mode: number): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    return errorCode(error) || 'unknown error';
  }
}

function quote(path: string): string {
  return /^[\w./:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
