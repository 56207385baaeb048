/**
 * Whether a text that is given as another key is the admin key, also as it is pasted: after `Bearer`, in quotes, or with the full stop of
 * its sentence.
 *
 * @param isAdminKey may be slow; it is asked at most four times
 */
export function holdsAdminKey(text: string, isAdminKey: (key: string) => boolean): boolean {
  const whole = text.trim();
  const bare = whole.replace(/^(?:authorization:\s*)?bearer\s+/i, '');
  const unquoted = bare.replace(/^["'`]+|["'`]+$/g, '');
  const unended = bare.replace(/^["'`]+|["'`.,;:]+$/g, '');
  return [...new Set([whole, bare, unquoted, unended])].some((key) => key !== '' && isAdminKey(key));
}
