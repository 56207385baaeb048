import { isatty } from 'node:tty';
import { type DestinationStream, destination, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { fileErrorProblem } from '../files/access-problem.ts';
import { UnsafeFileError } from '../files/verified-file.ts';
import { messageOf, withoutUrlDetails } from './error-text.ts';
import { createRedactor } from './redactor.ts';

export type { Logger } from 'pino';

const STDOUT = 1;
export interface Logging {
  readonly logger: Logger;
  /** Registers a value, so that no line shows it. */
  protect(secret: string): void;
  /** Text as in a log line. */
  redact(text: string): string;
  /**
   * The only line that may show a key: a generated admin key, at the start that created it. From then on it is redacted.
   */
  announceAdminKey(key: string): void;
}

export interface LoggingOptions {
  /** Target of the lines; default standard output. */
  readonly sink?: DestinationStream;
  /** Default: when standard output is a terminal. */
  readonly pretty?: boolean;
}

/** JSON lines, or readable lines on a terminal. */
export async function createLogging(options: LoggingOptions = {}): Promise<Logging> {
  const redactor = createRedactor();
  const output = options.sink ?? standardOutput();
  const pretty = options.pretty ?? isatty(STDOUT);
  const lines = pretty ? await prettyStream(output) : output;
  const settings = {
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return {
    logger: pino(settings, { write: (line) => lines.write(redactor.redact(line)) }),
    protect: redactor.protect,
    redact: redactor.redact,
    announceAdminKey(key) {
      pino(settings, lines).info(`New admin key: ${key} (shown once, keep it)`);
      redactor.protect(key);
    },
  };
}

/** Of all that an error carries, what helps: those of TLS contain whole certificates, those of the HTTP client the URL. */
const MEMBERS = ['code', 'kind', 'status', 'syscall', 'errno', 'path'] as const;

function describeError(error: Error): object {
  const problem = error instanceof UnsafeFileError ? error.message : fileErrorProblem(error);
  // Who owns a file and how to change that, in place of a stack that says nothing of it.
  if (problem !== null) return { type: 'FileError', message: problem };
  const { type, message, stack } = stdSerializers.err(error);
  const members: Record<string, unknown> = {
    type,
    message: withoutUrlDetails(message),
    stack: withoutUrlDetails(stack),
  };
  for (const name of MEMBERS) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string') members[name] = withoutUrlDetails(value);
    else if (typeof value === 'number') members[name] = value;
  }
  if (error instanceof AggregateError) members.errors = error.errors.map(describeCause);
  return members;
}

function describeCause(cause: unknown): unknown {
  return cause instanceof Error ? describeError(cause) : messageOf(cause);
}

/** Written synchronously, so that the last line before an exit is not lost. */
function standardOutput(): DestinationStream {
  const stream = destination({ fd: STDOUT, sync: true });
  // A closed log reader must not end the manager.
  stream.on('error', () => undefined);
  return stream;
}

async function prettyStream(output: DestinationStream): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ colorize: true, translateTime: 'SYS:yyyy-mm-dd HH:MM:ss', ignore: 'pid,hostname' });
  return { write: (line) => output.write(format(line)) };
}
