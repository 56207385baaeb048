/**
 * Keeps time and id of the newest event of each group. Of equal times the higher id is newer. Ids start at 1, so a
 * group without events is older than any event, also one before 1970.
 *
 * @param width numbers per group in `sums`
 * @param place position of the time in a group; the id follows
 */
export function addNewest(
  sums: Float64Array,
  width: number,
  place: number,
  groupOf: Uint32Array,
  times: Float64Array,
  ids: Float64Array,
  count: number,
): void {
  // The last row is mostly the newest, so that few others replace it.
  for (let index = count - 1; index >= 0; index--) {
    keepNewest(sums, (groupOf[index] ?? 0) * width + place, times[index] ?? 0, ids, index);
  }
}

/**
 * @param at position of the time; the id follows
 * @param index of the id among `ids`
 */
export function keepNewest(sums: Float64Array, at: number, time: number, ids: Float64Array, index: number): void {
  const newestMs = sums[at] ?? 0;
  // Most rows are older; a group without events has time 0.
  if (time < newestMs && time > 0) return;
  const id = ids[index] ?? 0;
  const newestId = sums[at + 1] ?? 0;
  if (newestId === 0 || time > newestMs || (time === newestMs && id > newestId)) {
    sums[at] = time;
    sums[at + 1] = id;
  }
}
