import { isRecord } from '../../../platform/browser/storage.ts';
import { maskKey } from '../../../platform/format/mask.ts';
import { type Entry, writtenEntry } from '../../../platform/gateway/providers/entry.ts';

/** An entry as text, with placeholders for its secrets. */
export interface HiddenJson {
  readonly text: string;
  /** Secrets by their placeholder. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Keys, header values and addresses with a password are never on screen: a placeholder stands for each. */
export function hideSecrets(entry: Entry): HiddenJson {
  const secrets = new Map<string, string>();
  const hide = (value: string): string => {
    if (value === '') return '';
    const mask = `<${maskKey(value)}>`;
    let name = mask;
    for (let next = 2; (secrets.get(name) ?? value) !== value; next += 1) name = `<${maskKey(value)} ${next}>`;
    secrets.set(name, value);
    return name;
  };
  const walk = (value: unknown, name: string, parent: string): unknown => {
    if (typeof value === 'string') return isSecret(name, parent, value) ? hide(value) : value;
    if (Array.isArray(value)) return value.map((part) => walk(part, '', name));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([member, part]) => [member, walk(part, member, name)]));
  };
  return { text: JSON.stringify(walk(writtenEntry(entry), '', ''), null, 2), secrets };
}

const isSecret = (name: string, parent: string, value: string): boolean =>
  name === 'api-key' || parent === 'headers' || (name === 'proxy-url' && value.includes('@'));

/** The entry of an edited text; null where it is no JSON object. */
export function revealSecrets(text: string, secrets: HiddenJson['secrets']): Entry | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? (secrets.get(value) ?? value) : value,
    );
  } catch {
    return null;
  }
  return isRecord(parsed) ? parsed : null;
}
