// Part of the language, not yet of the compiler's library: JSON text that is written as it was read.
interface JSON {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is object;
}
