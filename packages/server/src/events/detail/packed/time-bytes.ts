import { NANOS_PER_MS, timestampText } from '../time-text.ts';

const DAY_MS = 86_400_000;
const ZERO = 48;
const FRACTION_DIGITS = 9;
/** The longest text: `+275760-09-13T00:00:00.000000000Z`. */
export const TIME_BYTES = 33;

/** Writes what `timestampText` gives, as bytes. Keeps the last day: events are nearly in order of time. */
export class TimeBytes {
  #day = Number.NaN;
  #dayText = '';

  /** Writes at `at` and returns the end; `at` itself for times outside the range of a date. */
  write(bytes: Uint8Array, at: number, timestampMs: number, nanos: number): number {
    const day = Math.floor(timestampMs / DAY_MS);
    if (day !== this.#day) {
      const text = timestampText(day * DAY_MS, 0);
      if (text === '') return at;
      this.#day = day;
      this.#dayText = text.slice(0, text.indexOf('T') + 1);
    }
    let end = at;
    for (let index = 0; index < this.#dayText.length; index += 1) bytes[end++] = this.#dayText.charCodeAt(index);
    const inDay = (timestampMs - day * DAY_MS) | 0;
    const seconds = (inDay / 1000) | 0;
    const minutes = (seconds / 60) | 0;
    end = twoDigits(bytes, end, (minutes / 60) | 0);
    bytes[end++] = 58;
    end = twoDigits(bytes, end, minutes % 60);
    bytes[end++] = 58;
    end = twoDigits(bytes, end, seconds % 60);
    let fraction = (inDay % 1000) * NANOS_PER_MS + nanos;
    if (fraction > 0) {
      bytes[end++] = 46;
      let digits = FRACTION_DIGITS;
      for (; fraction % 10 === 0; fraction = (fraction / 10) | 0) digits -= 1;
      for (let place = end + digits - 1; place >= end; place -= 1) {
        const tens = (fraction / 10) | 0;
        bytes[place] = ZERO + fraction - tens * 10;
        fraction = tens;
      }
      end += digits;
    }
    bytes[end++] = 90;
    return end;
  }
}

function twoDigits(bytes: Uint8Array, at: number, value: number): number {
  const tens = (value / 10) | 0;
  bytes[at] = ZERO + tens;
  bytes[at + 1] = ZERO + value - tens * 10;
  return at + 2;
}
