// Part of the language, but not yet of the compiler's library: JSON text that is written unchanged.
interface JSON {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is object;
}
