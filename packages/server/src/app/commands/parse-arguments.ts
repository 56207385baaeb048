import { type CommandEntry, findCommand } from './catalogue.ts';

/** What the process is asked to do. */
export type Invocation =
  | { readonly kind: 'serve' | 'version' | 'licenses' | 'help' }
  /** `shown` may be printed. */
  | { readonly kind: 'unknown'; readonly shown: string }
  | { readonly kind: 'command'; readonly entry: CommandEntry; readonly args: readonly string[] };

/** @param args without executable and script */
export function parseArguments(args: readonly string[]): Invocation {
  const [first, ...rest] = args;
  if (first === undefined) return { kind: 'serve' };
  if (/^(?:-v|--?version)$/.test(first)) return { kind: 'version' };
  if (/^--?licenses$/.test(first)) return { kind: 'licenses' };
  if (/^(?:-h|--?help)$/.test(first)) return { kind: 'help' };
  const entry = findCommand(first);
  return entry === undefined ? { kind: 'unknown', shown: unknownText(first) } : { kind: 'command', entry, args: rest };
}

/** Names the argument only if it is a plain word: it could be a pasted key. */
function unknownText(argument: string): string {
  const [, dashes, word] = /^(-{0,2})([a-z]+(?:-[a-z]+)*)(?:=.*)?$/is.exec(argument) ?? [];
  const kind = argument.startsWith('-') ? 'flag' : 'command';
  return word === undefined || word.length > LONGEST_SHOWN ? `unknown ${kind}` : `unknown ${kind} ${dashes}${word}`;
}

const LONGEST_SHOWN = 40;
