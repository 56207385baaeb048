let isLimited = false;

/**
 * From now on the browser lets this page send requests to its own server and to this address alone. A gateway serves the file
 * without headers, so its policy allows every address until one is chosen; a policy in the page can be narrowed, never widened.
 */
export function limitRequestsTo(base: string): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = `connect-src 'self' ${new URL(base).origin}`;
  document.head.append(policy);
  isLimited = true;
}

/** Whether another address needs a new page. */
export function areRequestsLimited(): boolean {
  return isLimited;
}
