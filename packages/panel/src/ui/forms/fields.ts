import type { TextKey } from '../../platform/i18n/index.ts';

/** One member of an entry, as the form shows it. Members without a field are kept, and appear in the JSON view. */
export interface Field {
  readonly name: string;
  readonly kind:
    | 'text'
    | 'secret'
    | 'integer'
    | 'flag'
    /** On, off or inherited. */
    | 'tristate'
    | 'choice'
    /** A list of texts, one a line. */
    | 'words'
    | 'headers'
    /** An object. */
    | 'group'
    /** A list of objects. */
    | 'rows';
  readonly label: TextKey;
  readonly hint?: TextKey;
  readonly min?: number;
  readonly choices?: readonly string[];
  readonly fields?: readonly Field[];
  /** Of a text. */
  readonly suggestions?: readonly string[];
  /** In a row: hidden until asked for. */
  readonly more?: true;
}
