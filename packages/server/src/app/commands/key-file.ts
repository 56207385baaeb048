import { resolve } from 'node:path';
import { readSmallFile } from '../../platform/config/bounded-file.ts';
import { type CommandContext, CommandError } from './command.ts';

/** Trimmed content of the file that a flag names. */
export function readKeyFile(context: CommandContext, path: string, flag: string): string {
  let content: string;
  try {
    content = readSmallFile(resolve(context.cwd, path.trim()));
  } catch {
    throw new CommandError(`the file of ${flag} cannot be read; check path and permissions`);
  }
  return requireKey(content, `the file of ${flag} is empty`);
}

export function requireKey(text: string, problem: string): string {
  const key = text.trim();
  if (key === '') throw new CommandError(problem);
  return key;
}
