import { accessProblem } from '../files/access-problem.ts';
import { readSmallFile, SmallFileError } from './bounded-file.ts';
import { ConfigError } from './config-error.ts';
import { controlsProblem, hasControls, isQuoted, isUtf16, utf16Problem } from './key-text.ts';

export interface SecretSource {
  /** Variable with the value. */
  readonly name: string;
  /** Value of the direct variable, trimmed, '' = not set. */
  readonly value: string;
  /** Absolute path of the file that is read without a direct value. */
  readonly path: string;
  /** Setting with the path, '' for the built-in path. */
  readonly configuredBy: string;
  /** Only the manager uses the secret: any text will do, and quotes have always been part of it, so they are only warned about. */
  readonly isOurs: boolean;
}

/**
 * Direct value, else content of the file, else ''. A configured file without a value is reported, and any file that exists and may not be
 * read: otherwise the operator would get a random key without notice.
 *
 * @throws ConfigError for a text that cannot be meant as the secret
 */
export function resolveSecret(source: SecretSource, warn: (message: string) => void): string {
  if (source.value !== '') return usable(source.value, source.name, source, warn);
  const { content, problem } = read(source.path);
  if (content !== null && isUtf16(content)) throw new ConfigError(utf16Problem(source.path));
  const text = content?.toString('utf8').trim() ?? '';
  if (text !== '') return usable(text, source.path, source, warn);
  const blocked = content === null ? (problem ?? accessProblem(source.path, 'read')) : null;
  if (source.configuredBy !== '' || blocked !== null) {
    const state = blocked === null ? (content === null ? 'missing or unreadable' : 'empty') : `unreadable: ${blocked}`;
    warn(`${source.configuredBy || source.path}: the secret file is ${state}; the secret counts as unset`);
  }
  return '';
}

function usable(secret: string, where: string, source: SecretSource, warn: (message: string) => void): string {
  if (hasControls(secret) && !source.isOurs) throw new ConfigError(controlsProblem(where));
  if (!isQuoted(secret)) return secret;
  if (!source.isOurs) {
    throw new ConfigError(`${where} has quotes around the key, which would be part of it; remove them`);
  }
  warn(`${where} has quotes around the key, which are part of it; keep them if the database was created with them`);
  return secret;
}

function read(path: string): { readonly content: Buffer | null; readonly problem: string | null } {
  try {
    return { content: readSmallFile(path), problem: null };
  } catch (error) {
    return { content: null, problem: error instanceof SmallFileError ? error.message : null };
  }
}
