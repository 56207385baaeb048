/** Texts by key; plural forms end in `_one`, `_other` and so on, as in `Intl.PluralRules`. */
export type Texts = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/**
 * Finds a text in the plural form for `count`, and replaces `{{name}}` by values. A name without a value stays visible, and so
 * does a key without a text.
 */
export function createTranslator(language: string, texts: Texts) {
  const plurals = new Intl.PluralRules(language);
  return (key: string, values: Readonly<Record<string, string | number>> = {}): string => {
    const { count } = values;
    const form = typeof count === 'number' ? texts[`${key}_${plurals.select(count)}`] : undefined;
    const text = form ?? texts[key] ?? key;
    return text.replace(PLACEHOLDER, (placeholder, name: string) => String(values[name] ?? placeholder));
  };
}
