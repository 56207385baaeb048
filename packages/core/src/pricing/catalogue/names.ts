/** Runs of letters or digits, in lower case. Catalogues put a segment `models` before some ids, which names nothing. */
export function nameWords(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word !== 'models');
}

/** What is left of an id when spelling does not count. @example canonicalName('models/GPT-5.4') // 'gpt54' */
export function canonicalName(text: string): string {
  return nameWords(text).join('');
}

/** The same of the last part of a path, which is the model without whoever serves it. */
export function tailName(text: string): string {
  const segments = text.split('/').filter((segment) => {
    const name = segment.trim();
    return name !== '' && name.toLowerCase() !== 'models';
  });
  return canonicalName(segments.at(-1) ?? '');
}
