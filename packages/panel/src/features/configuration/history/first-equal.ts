import type { ConfigurationVersion } from '@manager/core/contract/gateway-configuration';

/** Of each version whose text was there before, by id: the first version with that text. `versions`: the newest first. */
export function firstEqual(versions: readonly ConfigurationVersion[]): ReadonlyMap<number, ConfigurationVersion> {
  const first = new Map<string, ConfigurationVersion>();
  const equal = new Map<number, ConfigurationVersion>();
  for (const version of versions.toReversed()) {
    const before = first.get(version.digest);
    if (before === undefined) first.set(version.digest, version);
    else equal.set(version.id, before);
  }
  return equal;
}
