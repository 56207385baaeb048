import { isRecord } from '../browser/storage.ts';
import { maskKey } from './mask-key.ts';

/** A JSON object as text, with placeholders for its secrets. */
export interface HiddenJson {
  readonly text: string;
  /** Secrets by their placeholder. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Whether a text is a secret, by its member, the member around that, and itself. */
export type IsSecret = (name: string, parent: string, value: string) => boolean;

/** Secrets are never on screen: a placeholder stands for each. */
export function hideSecrets(object: unknown, isSecret: IsSecret): HiddenJson {
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
  return { text: JSON.stringify(walk(object, '', ''), null, 2), secrets };
}

/** The value of an edited text. @throws SyntaxError */
export const revealedJson = (text: string, secrets: HiddenJson['secrets']): unknown =>
  JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? (secrets.get(value) ?? value) : value));

/** The object of an edited text; null where it is none. */
export function revealSecrets(text: string, secrets: HiddenJson['secrets']): Readonly<Record<string, unknown>> | null {
  let parsed: unknown;
  try {
    parsed = revealedJson(text, secrets);
  } catch {
    return null;
  }
  return isRecord(parsed) ? parsed : null;
}
