import type { FrameKind } from '../faults/fault-types.ts';
import type { Faults } from '../faults/faults.ts';
import { offsetIn } from './encode.ts';
import type { RespWriter } from './writer.ts';

/** Cuts or stalls a frame when such a fault is set; true = the frame is sent, or lost. */
export function applyFrameFault(
  writer: RespWriter,
  faults: Faults,
  frame: Uint8Array,
  kind: FrameKind,
  bulkIndex: number,
  written: () => void,
): boolean {
  const applies = (fault: { readonly on?: FrameKind }): boolean => (fault.on ?? 'any') === 'any' || fault.on === kind;
  const cut = faults.take('cut-frame', applies);
  if (cut !== null) {
    writer.send(frame.subarray(0, offsetIn(frame, cut.at, bulkIndex)));
    writer.close();
    return true;
  }
  const stall = faults.take('stall-frame', applies);
  if (stall === null) return false;
  const offset = offsetIn(frame, stall.at, bulkIndex);
  writer.send(frame.subarray(0, offset));
  writer.pause(stall.ms);
  writer.send(frame.subarray(offset), written);
  return true;
}
