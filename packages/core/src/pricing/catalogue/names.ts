/** Runs of letters or digits, in lower case. Some catalogues have a meaningless segment `models` before ids. */
export function nameWords(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word !== 'models');
}

/** An id without differences in spelling. @example canonicalName('models/GPT-5.4') // 'gpt54' */
export function canonicalName(text: string): string {
  return nameWords(text).join('');
}

/** The canonical name of the last part of a path, which is the model without its provider. */
export function tailName(text: string): string {
  const segments = text.split('/').filter((segment) => {
    const name = segment.trim();
    return name !== '' && name.toLowerCase() !== 'models';
  });
  return canonicalName(segments.at(-1) ?? '');
}
