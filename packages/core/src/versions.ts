const RELEASE = /^v?(\d+)\.(\d+)\.(\d+)$/;

export const isRelease = (version: string): boolean => RELEASE.test(version);

/** Left minus right; 0 = the same, or not comparable because one is a development build. */
export function compareReleases(left: string, right: string): number {
  return isRelease(left) && isRelease(right) ? compareNumbers(left, right) : 0;
}

/** Whether `version`, without any suffix, is `wanted` or newer; null when it is not a version. */
export function isAtLeast(version: string, wanted: string): boolean | null {
  return numbersOf(version) === null ? null : compareNumbers(version, wanted) >= 0;
}

function numbersOf(version: string): readonly number[] | null {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version.trim());
  return found === null ? null : found.slice(1).map(Number);
}

function compareNumbers(left: string, right: string): number {
  const [a, b] = [numbersOf(left) ?? [], numbersOf(right) ?? []];
  for (const part of [0, 1, 2]) {
    const difference = (a[part] ?? 0) - (b[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
