/** Errors whose message is written for the operator and holds no secret; a stack would only hide it. */
const NAMES: ReadonlySet<string> = new Set([
  'CommandError',
  'ConfigError',
  'ConnectionConflict',
  'DatabaseRefused',
  'DataKeyError',
  'LockError',
  'UsageError',
]);

/** By name, so that nothing has to be loaded to ask. */
export function isOperatorError(error: unknown): boolean {
  return error instanceof Error && NAMES.has(error.name);
}
