import { isSecretName, mayNameSecret } from './names.ts';
import { REDACTED, redactText } from './redact.ts';
import { withoutSecretMembers } from './secret-members.ts';

/** Deeper values are dropped: no text for people has them. */
const MAX_DEPTH = 64;

/** A text for people: secrets and addresses replaced, whatever form they have in it. */
export const shownText = (text: string): string => redactText(withoutSecretMembers(text));

/**
 * A value for people: what is under the name of a secret is replaced, at any depth, and so is every secret in a text. Counts
 * and flags stay, unless their name is certain.
 *
 * @example shownValue({ apiKey: 'x', max_tokens: 5 }) // { apiKey: '[redacted]', max_tokens: 5 }
 */
export function shownValue(value: unknown, text: (text: string) => string = shownText): unknown {
  return shown(value, '', text, 0);
}

function shown(value: unknown, name: string, text: (text: string) => string, depth: number): unknown {
  if (value === null || value === undefined) return value;
  if (isSecretName(name)) return REDACTED;
  if (typeof value === 'string') return mayNameSecret(name) ? REDACTED : text(value);
  if (typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return '...(truncated)';
  if (Array.isArray(value)) return value.map((element) => shown(element, name, text, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, shown(inner, member, text, depth + 1)]),
  );
}
