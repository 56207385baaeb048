import { readOnce } from './cached-reader.ts';
import { type ConfigObject, sameValue, valueAt, withValue } from './values.ts';

const KEY = ['remote-management', 'secret-key'];

/** Whether two texts mean the same to the gateway, which replaces a new key by its hash. */
export function sameConfiguration(left: string, right: string): boolean {
  if (left === right) return true;
  const [one, other] = [readOnce(left), readOnce(right)];
  if (!one.ok || !other.ok) return false;
  return sameValue(withoutPlainKey(one.values, other.values), withoutPlainKey(other.values, one.values));
}

function withoutPlainKey(values: ConfigObject, others: ConfigObject): ConfigObject {
  const [key, other] = [valueAt(values, KEY), valueAt(others, KEY)];
  const hashed = isHash(key) !== isHash(other);
  return hashed ? withValue(values, KEY, undefined) : values;
}

function isHash(key: unknown): boolean {
  return typeof key === 'string' && /^\$2[aby]\$/.test(key);
}
