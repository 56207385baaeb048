import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { accessDetail } from '../files/access-problem.ts';
import { ConfigError } from './config-error.ts';
import { describeIssue } from './describe-issue.ts';
import { isUtf16, utf16Problem } from './key-text.ts';

const text = z.string().nullish();
const integer = z.number().int().nullish();
const flag = z.boolean().nullish();

/** Every field of `config.json`. Other fields are ignored. */
const FIELDS = z.object({
  httpAddr: text,
  pprofAddr: text,
  dataDir: text,
  dbPath: text,
  adminKeyFile: text,
  dataKeyFile: text,
  dataKeyPath: text,
  cpaUpstreamUrl: text,
  upstreamUrl: text,
  managementKeyFile: text,
  collectorMode: text,
  queue: text,
  popSide: text,
  batchSize: integer,
  pollIntervalMs: integer,
  queryLimit: integer,
  memoryMb: integer,
  usageImportChunkBytes: integer,
  usageImportDiskQuotaBytes: integer,
  usageImportMaxSessions: integer,
  usageImportSessionTTLMinutes: integer,
  usageArchiveRetentionEnabled: flag,
  usageArchiveRetentionDays: integer,
  corsOrigins: z.array(z.string()).nullish(),
  trustedProxies: z.array(z.string()).nullish(),
  trustedPluginPages: flag,
  tlsSkipVerify: flag,
  quotaCooldownEnabled: flag,
  accountActionsEnabled: flag,
  accountActionsAutoDisable: flag,
  panelPath: text,
});

export type ConfigFields = z.infer<typeof FIELDS>;

export interface ConfigFile {
  /** null = no config directory. */
  readonly directory: string | null;
  readonly fields: ConfigFields;
}

const DEFAULT_CONTENT = `${JSON.stringify({ httpAddr: '0.0.0.0:18317', dataDir: './data' }, null, 2)}\n`;

export interface ConfigFileRequest {
  /** Value of `MANAGER_CONFIG`, '' = not set. */
  readonly explicitPath: string;
  readonly cwd: string;
  readonly executableDir: string;
  /** `USAGE_DATA_DIR` or `USAGE_DB_PATH` is set, so that no file is needed. */
  readonly locatedByEnvironment: boolean;
  /** Only a server start creates a missing file. */
  readonly mayCreate: boolean;
}

/** Finds, creates if allowed, and reads `config.json`. */
export function loadConfigFile(request: ConfigFileRequest): ConfigFile {
  if (request.explicitPath !== '') {
    const path = resolve(request.cwd, request.explicitPath);
    return { directory: dirname(path), fields: readOrCreate(path, request.mayCreate) };
  }
  const path = join(request.executableDir, 'config.json');
  if (isAbsent(path) && request.locatedByEnvironment) return { directory: null, fields: {} };
  return { directory: request.executableDir, fields: readOrCreate(path, request.mayCreate) };
}

function readOrCreate(path: string, mayCreate: boolean): ConfigFields {
  if (isAbsent(path)) {
    if (!mayCreate) return {};
    create(path);
  }
  return parse(readRegularFile(path), path);
}

/** Only "no such file" counts: a file in an unreadable directory must be an error, not a fresh default. */
function isAbsent(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

function create(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, DEFAULT_CONTENT, { flag: 'wx', mode: 0o600 });
    // The umask must not decide the mode of a new file.
    if (process.platform !== 'win32') chmodSync(path, 0o600);
  } catch (error) {
    throw new ConfigError(
      `cannot create ${path}${accessDetail(path, 'write', error)}; or set MANAGER_CONFIG to a writable path, or USAGE_DATA_DIR to run without a file`,
    );
  }
}

function readRegularFile(path: string): string {
  try {
    if (!statSync(path).isFile()) {
      throw new ConfigError(
        `${path} is not a regular file; a container bind mount of a missing file makes a directory`,
      );
    }
    const bytes = readFileSync(path);
    if (isUtf16(bytes)) throw new ConfigError(utf16Problem(path));
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`cannot read ${path}${accessDetail(path, 'read', error)}`);
  }
}

function parse(content: string, path: string): ConfigFields {
  let json: unknown;
  try {
    json = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    throw new ConfigError(`${path} is not valid JSON`);
  }
  const result = FIELDS.safeParse(json, { error: describeIssue });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new ConfigError(`${path}: ${issue?.path.join('.') || 'content'}: ${issue?.message ?? 'wrong type'}`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
