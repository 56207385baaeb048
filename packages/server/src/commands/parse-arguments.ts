import { type CommandEntry, findCommand } from './catalogue.ts';

/** What the process was asked to do. */
export type Invocation =
  | { readonly kind: 'serve' | 'version' | 'help' | 'unknown' }
  | { readonly kind: 'command'; readonly entry: CommandEntry; readonly args: readonly string[] };

/** @param args without executable and script */
export function parseArguments(args: readonly string[]): Invocation {
  const [first, ...rest] = args;
  if (first === undefined) return { kind: 'serve' };
  if (/^(?:-v|--?version)$/.test(first)) return { kind: 'version' };
  if (/^(?:-h|--?help)$/.test(first)) return { kind: 'help' };
  const entry = findCommand(first);
  return entry === undefined ? { kind: 'unknown' } : { kind: 'command', entry, args: rest };
}
