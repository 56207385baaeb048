import type { FactReader, FactSnapshot } from '../reader.ts';
import { scanPart } from '../second-scanner/scan-part.ts';
import type { ScanSharing } from '../second-scanner/scan-share.ts';
import { plannedSections } from '../second-scanner/serve.ts';
import { fillRange, sharedRange } from '../second-scanner/shared-range.ts';

/**
 * Divides scans as the second scanner does, in this thread: of every two segments that are left, the second one takes one. What it
 * returns is copied as between threads.
 *
 * @param second reads the same database through a separate connection
 * @param plan begins to answer the question that is asked now
 */
export function sharingInPlace(
  second: Pick<FactReader, 'read'>,
  plan: (snapshot: FactSnapshot) => void,
): ScanSharing & { readonly parts: () => number } {
  let parts = 0;
  return {
    least: 1,
    parts: () => parts,
    begin(task) {
      const memory = new Int32Array(1);
      fillRange(memory, 0, task.segments.length);
      const range = sharedRange(memory, 0);
      const packed = second.read((snapshot) => {
        const planned = plannedSections(plan, snapshot);
        let left = Math.ceil(task.segments.length / 2);
        const half = { takeLast: () => (left-- > 0 ? range.takeLast() : -1) };
        return structuredClone(scanPart(snapshot, task, planned, half, () => {}));
      });
      if (packed !== null) parts += 1;
      return { takeNext: () => range.takeFirst() >= 0, finish: () => packed, end: () => {} };
    },
  };
}
