/** A configuration that must not be started with. The message is for the operator and names what to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
