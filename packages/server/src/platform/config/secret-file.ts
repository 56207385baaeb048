import { readSmallFile } from './bounded-file.ts';

export interface SecretSource {
  /** Value of the direct variable, trimmed, '' = not set. */
  readonly value: string;
  /** Absolute path of the file that is read without a direct value. */
  readonly path: string;
  /** Setting with the path, '' for the built-in path. */
  readonly configuredBy: string;
}

/**
 * Direct value, else content of the file, else ''. A configured file without a value is reported: otherwise the operator would
 * get a random key without notice.
 */
export function resolveSecret(source: SecretSource, warn: (message: string) => void): string {
  if (source.value !== '') return source.value;
  const content = readTrimmed(source.path);
  if (content) return content;
  if (source.configuredBy !== '') {
    warn(
      `${source.configuredBy}: the secret file is ${content === null ? 'missing or unreadable' : 'empty'}; the secret counts as unset`,
    );
  }
  return '';
}

function readTrimmed(path: string): string | null {
  try {
    return readSmallFile(path).trim();
  } catch {
    return null;
  }
}
