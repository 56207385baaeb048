/** A command line error. The message never repeats the value of a flag: it may be a key. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Flag {
  /** Without dashes. */
  readonly name: string;
  /** Placeholder of the value in the help; null = a switch without value. */
  readonly value: string | null;
  readonly required?: boolean;
  /** A switch that is on unless `=false` is given. */
  readonly on?: boolean;
  /** May be given several times; `texts` has all values. */
  readonly many?: boolean;
  readonly help: string;
}

export interface ParsedFlags {
  /** Value of a flag, undefined when not given. */
  text(name: string): string | undefined;
  /** All values of a flag that may be given several times. */
  texts(name: string): readonly string[];
  isOn(name: string): boolean;
  /** The action word of the command, or ''. */
  readonly action: string;
}

export const HELP = Symbol('help');

/** Parses `-flag value`, `-flag=value` and both with two dashes. Anything else is refused. */
export function parseFlags(
  args: readonly string[],
  spec: { readonly flags: readonly Flag[]; readonly actions?: readonly string[] },
): ParsedFlags | typeof HELP {
  const texts = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const switches = new Set(spec.flags.filter((flag) => flag.on === true).map((flag) => flag.name));
  let action = '';
  const rest = [...args];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const match = /^--?([a-z][a-z-]*)(?:=(.*))?$/s.exec(argument);
    if (match === null) {
      if (action !== '' || !spec.actions?.includes(argument)) throw new UsageError('unexpected argument; see --help');
      action = argument;
      continue;
    }
    const [, name = '', inline] = match;
    if (name === 'h' || name === 'help') return HELP;
    const flag = spec.flags.find((candidate) => candidate.name === name);
    if (flag === undefined) throw new UsageError(`unknown flag --${name}; see --help`);
    if (flag.value === null) {
      if (readSwitch(name, inline)) switches.add(name);
      else switches.delete(name);
      continue;
    }
    const value = inline ?? rest.shift();
    if (value === undefined) throw new UsageError(`--${name} needs a value`);
    texts.set(name, value);
    if (flag.many === true) lists.set(name, [...(lists.get(name) ?? []), value]);
  }
  if (spec.actions !== undefined && action === '') throw new UsageError(`expected one of ${spec.actions.join(', ')}`);
  const missing = spec.flags.find((flag) => flag.required && (texts.get(flag.name) ?? '').trim() === '');
  if (missing !== undefined) throw new UsageError(`--${missing.name} is required`);
  return {
    text: (name) => texts.get(name),
    texts: (name) => lists.get(name) ?? [],
    isOn: (name) => switches.has(name),
    action,
  };
}

function readSwitch(name: string, inline: string | undefined): boolean {
  if (inline === undefined || inline === 'true') return true;
  if (inline === 'false') return false;
  throw new UsageError(`--${name} must be true or false`);
}
