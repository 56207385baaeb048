import { type ConfigValue, isList, isObject } from './values.ts';

const SECRET_NAME = /key$|^key|keys$|secret|token|password|authorization|cookie|credential|store-auth/i;
/** Shorter texts would mask words of the file. */
const SECRET_LENGTH = 8;

/** Texts of a value that belong to nobody's screen. `secret`: it is inside of one. */
export function secretsOf(value: ConfigValue, secret = false): string[] {
  if (typeof value === 'string') return secret && value.length >= SECRET_LENGTH ? [value] : [];
  if (isList(value)) return value.flatMap((item) => secretsOf(item, secret));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    // A path to a file is no secret.
    secretsOf(
      item,
      name !== 'tls' && (isObject(item) || isList(item) ? secret || isSecretName(name) : isSecretName(name) || secret),
    ),
  );
}

function isSecretName(name: string): boolean {
  // Lists of provider keys have members of their own.
  return SECRET_NAME.test(name) && !/^(?:gemini|interactions|codex|xai|claude|vertex)-api-key$/.test(name);
}

/** Whether the value of a setting must not be shown while masking is on. */
export function holdsSecret(id: string, value: ConfigValue): boolean {
  // A proxy's name and password.
  if (typeof value === 'string') return /\/\/[^/@\s]+@/.test(value);
  return secretsOf({ [id.split('.').at(-1) ?? '']: value }).length > 0;
}
