/**
 * Keeps time and id of the newest event of each group. Of equal times the higher id is the newer event. Ids begin at 1, so
 * a group without events is older than any event, also one before 1970.
 *
 * @param width places of one group in `sums`
 * @param place of the time of a group; the id follows
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
  for (let index = 0; index < count; index++) {
    const at = (groupOf[index] ?? 0) * width + place;
    const time = times[index] ?? 0;
    const id = ids[index] ?? 0;
    const newestMs = sums[at] ?? 0;
    const newestId = sums[at + 1] ?? 0;
    if (newestId === 0 || time > newestMs || (time === newestMs && id > newestId)) {
      sums[at] = time;
      sums[at + 1] = id;
    }
  }
}
