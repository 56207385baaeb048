/** The URL standard writes spaces, double quotes and angle brackets as `%20` and so on, so these end a URL in a text. */
const ADDRESS = /((?:https?|wss?|socks[45]?h?):\/\/)([^\s"<>]*)/gi;

/**
 * A text of the runtime without what its URLs carry as user, path and query: the code of a sign-in, or a client key.
 *
 * @example withoutUrlDetails('Malformed fetching "http://a:1/callback?code=x"') // 'Malformed fetching "http://a:1/..."'
 */
export function withoutUrlDetails(text: string): string {
  return text.replace(ADDRESS, (_, scheme: string, rest: string) => {
    const end = rest.search(/[/\\?#;]/);
    const authority = end < 0 ? rest : rest.slice(0, end);
    return `${scheme}${authority.slice(authority.lastIndexOf('@') + 1)}${end < 0 ? '' : '/...'}`;
  });
}

/** What an error says, for a line of the log. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? withoutUrlDetails(error.message) : 'unknown error';
}
