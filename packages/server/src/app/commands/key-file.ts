import { resolve } from 'node:path';
import { SmallFileError } from '../../platform/config/bounded-file.ts';
import { KeyFileError, readKeyText } from '../../platform/config/key-text.ts';
import { accessDetail } from '../../platform/files/access-problem.ts';
import { type CommandContext, CommandError } from './command.ts';

/** Trimmed content of the file that a flag names. */
export function readKeyFile(context: CommandContext, path: string, flag: string): string {
  let content: string;
  const file = resolve(context.cwd, path.trim());
  try {
    content = readKeyText(file);
  } catch (error) {
    if (error instanceof KeyFileError || error instanceof SmallFileError) {
      throw new CommandError(`the file of ${flag} cannot be used: ${error.message}`);
    }
    throw new CommandError(`the file of ${flag} cannot be read${accessDetail(file, 'read', error)}`);
  }
  return requireKey(content, `the file of ${flag} is empty`);
}

export function requireKey(text: string, problem: string): string {
  const key = text.trim();
  if (key === '') throw new CommandError(problem);
  return key;
}
