export type Value = string | number | null;

/**
 * First byte of a value. The frequent forms include their number: an earlier value of the same event, a small integer,
 * a frequent word, a short text.
 */
export const BACK = 0x00; // 0x00–0x5f: earlier value 0–95
export const BACK_COUNT = 0x60;
export const SMALL = 0x60; // 0x60–0x8f: integer 0–47
export const SMALL_COUNT = 0x30;
export const MEDIUM = 0x90; // 0x90–0x9f and one byte: integer 48–4143
export const MEDIUM_COUNT = 0x10 * 256;
export const WORD = 0xa0; // 0xa0–0xbf and one byte: word 0–8191
export const WORD_COUNT = 0x20 * 256;
export const TEXT = 0xc0; // 0xc0–0xdf: text of 0–31 bytes
export const TEXT_COUNT = 0x20;
export const Op = {
  integer: 0xe0,
  word: 0xe1,
  text: 0xe2,
  hex: 0xe3,
  integerText: 0xe4,
  /** Milliseconds, as distance to the event time. */
  time: 0xe5,
  /** Seconds, as distance to the event time. */
  seconds: 0xe6,
  secondsText: 0xe7,
  /** `Tue, 01 Sep 2026 08:00:01 GMT`. */
  httpDate: 0xe8,
  numberText: 0xe9,
  uuid: 0xea,
  /** Text, then hexadecimal digits, then text. */
  aroundHex: 0xeb,
  nothing: 0xec,
  back: 0xed,
  /** JSON text as shape (a word) and values. */
  json: 0xee,
} as const;

/** Distances to the event time save space up to about a year on each side. */
export const NEAR_MS = 4e10;

/** Texts from this length on, and numbers from `SMALL_COUNT` on, get a place that later equal values refer to. */
export const SHORTEST_KEPT = 2;

/** Signed integers as unsigned ones, small distances as small numbers. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

export function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
