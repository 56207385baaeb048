import type { SignInProvider } from '../providers.ts';

export type Redirect =
  | { readonly kind: 'address'; readonly text: string }
  | { readonly kind: 'empty' | 'invalid' | 'other' | 'incomplete' };

/**
 * What was pasted after the provider's page: the whole address of the page to which it led, as it is. `other` = it belongs to
 * another sign-in.
 */
export function readRedirect(pasted: string, provider: SignInProvider, state: string): Redirect {
  const text = pasted.trim();
  if (text === '') return { kind: 'empty' };
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    if (provider.codeAddress === undefined || /\s|:\/\//.test(text)) return { kind: 'invalid' };
    return { kind: 'address', text: `${provider.codeAddress}?${new URLSearchParams({ code: text, state })}` };
  }
  const query = new URL(text).searchParams;
  const given = query.get('state') ?? '';
  if (given !== '' && given !== state) return { kind: 'other' };
  const answers = ['code', 'error', 'error_description'].some((name) => (query.get(name) ?? '') !== '');
  return given === '' || !answers ? { kind: 'incomplete' } : { kind: 'address', text };
}
