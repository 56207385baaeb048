import { AppError } from '@manager/core/contract/errors';
import type { ManagerConfig } from '../../platform/config/config.ts';
import { loadConfig } from '../../platform/config/load.ts';
import type { Environment } from '../../platform/config/values.ts';
import { fileErrorProblem } from '../../platform/files/access-problem.ts';
import { fileErrorText } from '../../platform/files/file-error.ts';
import type { RandomBytes } from '../../platform/secrets/admin-key.ts';
import { knownProblem } from '../../sqlite/database-problem.ts';
import { type Flag, HELP, type ParsedFlags, parseFlags } from './flags.ts';
import { isOperatorError } from './operator-errors.ts';

/** The parts of the process that a command may use. */
export interface CommandIo {
  readonly env: Environment;
  readonly cwd: string;
  readonly executableDir: string;
  /** Each call writes one line. */
  readonly stdout: (line: string) => void;
  readonly stderr: (line: string) => void;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  /** Fires on every signal that asks for a stop. */
  readonly signal: AbortSignal;
}

export interface CommandContext extends CommandIo {
  /** Read on first use, so that a command with explicit paths needs no configuration. Creates nothing. */
  readonly config: () => ManagerConfig;
}

export interface Command {
  readonly name: string;
  /** Shown above the flags in the help. */
  readonly about: readonly string[];
  readonly flags: readonly Flag[];
  /** Exactly one of these words must be given. */
  readonly actions?: readonly string[];
  run(context: CommandContext, flags: ParsedFlags): Promise<void> | void;
}

/** An error with a message for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Runs a command and returns its exit code. Diagnostics go to stderr as `<command>: <reason>`. */
export async function runCommand(command: Command, args: readonly string[], io: CommandIo): Promise<number> {
  try {
    const flags = parseFlags(args, command);
    if (flags === HELP) {
      io.stderr(commandUsage(command));
      return 0;
    }
    let config: ManagerConfig | undefined;
    const load = () => loadConfig({ env: io.env, cwd: io.cwd, executableDir: io.executableDir, purpose: 'command' });
    await command.run(
      {
        ...io,
        config: () => {
          config ??= load();
          return config;
        },
      },
      flags,
    );
    return 0;
  } catch (error) {
    io.stderr(`${command.name}: ${describe(error)}`);
    return 1;
  }
}

export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new CommandError('canceled; nothing was changed');
}

function commandUsage(command: Command): string {
  const actions = command.actions ? ` ${command.actions.join('|')}` : '';
  const flags = command.flags.map((flag) => {
    const left = `--${flag.name}${flag.value === null ? '' : ` ${flag.value}`}`;
    return `  ${left.padEnd(28)} ${flag.help}${flag.required ? ' (required)' : ''}`;
  });
  return [`Usage: manager-server ${command.name}${actions} [FLAGS]`, ...command.about, '', ...flags].join('\n');
}

/**
 * Our own messages are written for the operator; for other errors only the code is shown, because their text could
 * contain anything.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const explained = fileErrorProblem(error) ?? fileErrorText(error) ?? knownProblem(error);
  if (explained !== null) return explained;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = isOperatorError(error) || error instanceof AppError;
  return known || code === '' ? error.message : `failed (${code})`;
}
