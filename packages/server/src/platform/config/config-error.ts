/** An invalid configuration that must stop the start. The message is for the operator and says what to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
