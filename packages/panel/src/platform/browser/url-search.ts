/** Query of the hash route as lists of texts. Plain `a=1&a=2`, so that links can be read and typed. */
export type UrlSearch = Record<string, string[]>;

export function parseUrlSearch(query: string): UrlSearch {
  const search: UrlSearch = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const list = search[name];
    if (list === undefined) search[name] = [value];
    else list.push(value);
  }
  return search;
}

export function stringifyUrlSearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(name, String(item));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
