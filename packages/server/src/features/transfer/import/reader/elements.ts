import { JsonListCutter, type ListElement } from '../../../../platform/json-list-cutter.ts';
import type { Cursor, NeedsInput } from './input.ts';
import { MAX_RECORD_BYTES, PayloadRefused, recordTooLarge } from './refused.ts';

/** The elements of a JSON list, one at a time; the cursor is at its `[` and afterwards behind its `]`. */
export function* readElements(cursor: Cursor, firstLine: number): Generator<NeedsInput | ListElement, void> {
  const cutter = new JsonListCutter({ maxElementBytes: MAX_RECORD_BYTES, strict: true, firstLine });
  while (yield* cursor.fill()) {
    cursor.at = cutter.take(cursor.bytes, cursor.at);
    if (cutter.tooLarge) throw recordTooLarge(`line ${cutter.line}`);
    if (cutter.element !== null) yield cutter.element;
    else if (cutter.state === 'ended') return;
    else if (cutter.state === 'broken')
      throw new PayloadRefused(`line ${cutter.line}: the list of events is not valid JSON`);
  }
  throw new PayloadRefused('the list of events is cut off');
}
