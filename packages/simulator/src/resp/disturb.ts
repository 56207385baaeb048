import type { FrameKind } from '../faults/fault-types.ts';
import type { Faults } from '../faults/faults.ts';
import type { Connection } from '../net/connection.ts';
import { offsetIn } from './encode.ts';

/** Cuts or stalls a frame when a fault says so; true = the frame is dealt with. */
export function disturb(
  connection: Connection,
  faults: Faults,
  frame: Uint8Array,
  kind: FrameKind,
  bulkIndex: number,
  written: () => void,
): boolean {
  const applies = (fault: { readonly on?: FrameKind }): boolean => (fault.on ?? 'any') === 'any' || fault.on === kind;
  const message = kind === 'message';
  const cut = faults.take('cut-frame', applies);
  if (cut !== null) {
    connection.send(frame.subarray(0, offsetIn(frame, cut.at, bulkIndex)));
    connection.close();
    return true;
  }
  const stall = faults.take('stall-frame', applies);
  if (stall === null) return false;
  const offset = offsetIn(frame, stall.at, bulkIndex);
  connection.send(frame.subarray(0, offset));
  connection.pause(stall.ms);
  connection.send(frame.subarray(offset), { message, written });
  return true;
}
