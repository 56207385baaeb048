/**
 * Moves the `count` largest of the first `length` values to the front, unordered except for the last of them:
 * `values[count − 1]` is the smallest of the largest. Quickselect: linear on average, also with many equal values.
 *
 * @param count from 1 to `length`
 */
export function selectLargest(values: Float64Array, length: number, count: number): void {
  const target = count - 1;
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const pivot = values[pivotAt(low, high)] ?? 0;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] ?? 0) > pivot) left++;
      while ((values[right] ?? 0) < pivot) right--;
      if (left > right) break;
      const moved = values[left] ?? 0;
      values[left] = values[right] ?? 0;
      values[right] = moved;
      left++;
      right--;
    }
    if (target <= right) high = right;
    else if (target >= left) low = left;
    else return;
  }
}

/** Scattered between the ends, so that no usual order of values makes it the worst choice repeatedly. */
function pivotAt(low: number, high: number): number {
  const span = high - low + 1;
  return low + ((Math.imul(span, 0x9e37_79b1) >>> 0) % span);
}

/** Of n values sorted from the largest on, the position of the percentile, from 1. */
export function rankFromLargest(count: number): number {
  return count - Math.floor((95 * count + 99) / 100) + 1;
}
