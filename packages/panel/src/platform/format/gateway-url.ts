/** `http://` when the scheme is missing; no management page or path, query, fragment or trailing slash. */
export function gatewayUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  return full
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '')
    .replace(/\/(management\.html|v0\/management|v0)$/, '')
    .replace(/\/+$/, '');
}
