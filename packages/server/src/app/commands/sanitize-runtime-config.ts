import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Command, CommandError } from './command.ts';

/** Fields of the connection, which is stored in the database. */
const REMOVED: ReadonlySet<string> = new Set(['cpaUpstreamUrl', 'upstreamUrl', 'managementKeyFile']);

export const sanitizeRuntimeConfig: Command = {
  name: 'sanitize-runtime-config',
  about: ['Copies a config.json without the fields of the gateway connection. Everything else stays.'],
  flags: [
    { name: 'input', value: 'P', help: 'file to read', required: true },
    { name: 'output', value: 'P', help: 'file to write; may be the same', required: true },
  ],
  run(context, flags) {
    const input = resolve(context.cwd, (flags.text('input') ?? '').trim());
    const output = resolve(context.cwd, (flags.text('output') ?? '').trim());
    const status = lstatSync(input, { throwIfNoEntry: false });
    if (!status?.isFile()) throw new CommandError(`${input} is not a regular file`);
    // The new file replaces it: a device, a pipe or a link would be gone.
    if (lstatSync(output, { throwIfNoEntry: false })?.isFile() === false) {
      throw new CommandError(`${output} is not a regular file; nothing was changed`);
    }
    const content = sanitize(readFileSync(input, 'utf8'));
    const suffix = Buffer.from(context.randomBytes(6)).toString('hex');
    writeAtomically(output, join(dirname(output), `.${basename(output)}.${suffix}.tmp`), content, status.mode & 0o777);
    context.stdout('The configuration was written without the gateway connection.');
  },
};

/** Numbers keep their text, because this program may not represent them exactly. */
export function sanitize(text: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''), (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value,
    );
  } catch {
    throw new CommandError('the input is not one JSON object');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || JSON.isRawJSON(parsed)) {
    throw new CommandError('the input is not one JSON object');
  }
  const kept = Object.entries(parsed).filter(([name]) => !REMOVED.has(name));
  return `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
}

function writeAtomically(path: string, temporary: string, content: string, mode: number): void {
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (process.platform !== 'win32') chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
