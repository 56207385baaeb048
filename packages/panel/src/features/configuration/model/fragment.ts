import { parseDocument } from 'yaml';
import type { ConfigValue } from './values.ts';

export type Fragment =
  | { readonly ok: true; readonly value: ConfigValue | undefined }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** The value of a part that is edited as YAML; an empty text = not set. */
export function readFragment(text: string): Fragment {
  if (text.trim() === '') return { ok: true, value: undefined };
  const document = parseDocument(text, { logLevel: 'silent', prettyErrors: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined)
    return { ok: false, line: error.linePos?.[0].line ?? 1, message: error.message.split('\n')[0] ?? '' };
  return { ok: true, value: document.toJS() as ConfigValue };
}
