/** What `npm test` chose for the compiler of short-lived processes, for a manager with an environment of its own. */
export function runtimeOptions(): Record<string, string> {
  const chosen = Object.entries(process.env).filter(([name]) => name.startsWith('BUN_JSC_'));
  return Object.fromEntries(chosen.map(([name, value]) => [name, value ?? '']));
}
