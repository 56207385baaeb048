/** API base of a document address: the address without file name, query and hash, so that a sub-path proxy works. */
export function apiBase(href: string): string {
  const url = new URL(href);
  url.hash = '';
  url.search = '';
  url.pathname = url.pathname.replace(/[^/]*$/, '');
  return url.toString();
}
