/** Of one version; more are left out. */
const MAX_NAMES = 50;

/** A key at the start of its line, and what follows on it. */
const SETTING = /^["']?([A-Za-z][\w.-]*)["']?:(?=\s|$)(.*)$/;
/** Members of these could be keys themselves. */
const KEYS = /keys?$/;

interface Setting {
  /** Behind the colon. */
  readonly rest: string;
  /** Below it, without comments and empty lines. */
  readonly lines: readonly string[];
}

/**
 * Names of the settings whose text differs, in the order of the newer text: of lists with the number of items that came or went, of
 * mappings the members. Their values are never among them. By lines, because a reader of YAML takes a second for the largest texts. null = these
 * are not block mappings.
 *
 * @example changedSettings('api-keys:\n- a\n', 'port: 1\napi-keys:\n- a\n- b\n') // ['port', 'api-keys (+1)']
 */
export function changedSettings(before: string, after: string): string[] | null {
  const [old, next] = [settingsIn(linesOf(before)), settingsIn(linesOf(after))];
  if (old === null || next === null) return null;
  return changedNames(old, next)
    .flatMap((name) => describe(name, old.get(name), next.get(name)))
    .slice(0, MAX_NAMES);
}

function linesOf(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !/^\s*(?:#|$)/.test(line) && line !== '---');
}

/** null = something stands before the first key. */
function settingsIn(lines: readonly string[]): Map<string, Setting> | null {
  const settings = new Map<string, Setting>();
  const margin = marginOf(lines[0]);
  const pad = ' '.repeat(margin);
  let below: string[] | null = null;
  for (const line of lines) {
    const first = line.charAt(margin);
    const isKey = first !== ' ' && first !== '-' && line.startsWith(pad);
    const [, name, rest = ''] = (isKey && SETTING.exec(line.slice(margin))) || [];
    if (name !== undefined) {
      below = [];
      settings.set(name, { rest, lines: below });
    } else if (below === null) return null;
    else below.push(line);
  }
  return settings;
}

const marginOf = (line = ''): number => line.length - line.trimStart().length;

function changedNames(old: ReadonlyMap<string, Setting>, next: ReadonlyMap<string, Setting>): string[] {
  return [...new Set([...next.keys(), ...old.keys()])].filter((name) => !same(old.get(name), next.get(name)));
}

function same(old: Setting | undefined, next: Setting | undefined): boolean {
  return (
    old?.rest === next?.rest &&
    old?.lines.length === next?.lines.length &&
    (old?.lines.every((line, index) => line === next?.lines[index]) ?? true)
  );
}

function describe(name: string, old: Setting | undefined, next: Setting | undefined): string[] {
  const change = itemsIn(next) - itemsIn(old);
  if (change !== 0) return [`${name} (${change > 0 ? '+' : '−'}${Math.abs(change)})`];
  if (old === undefined || next === undefined || old.rest !== next.rest || KEYS.test(name)) return [name];
  const [oldMembers, members] = [settingsIn(old.lines), settingsIn(next.lines)];
  if (oldMembers === null || members === null) return [name];
  return changedNames(oldMembers, members).map((member) => `${name}.${member}`);
}

/** Items of a list in block style. */
function itemsIn(setting: Setting | undefined): number {
  const lines = setting?.lines ?? [];
  const dash = `${' '.repeat(marginOf(lines[0]))}-`;
  return lines.filter((line) => line === dash || line.startsWith(`${dash} `)).length;
}
