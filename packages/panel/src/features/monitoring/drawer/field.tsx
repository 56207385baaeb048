import { shown } from '../../../platform/format/shown.ts';
import { CopyButton } from '../../../ui/controls/copy.tsx';

interface FieldProps {
  readonly label: string;
  /** '' or undefined = unknown. */
  readonly value: string | undefined;
  readonly note?: string;
  readonly mono?: boolean;
  readonly strong?: boolean;
  /** A long text: it has the full width, below its label. */
  readonly whole?: boolean;
}

/** Maximum characters of one value; the copy has all of them. */
const MAX_FIELD = 2000;

/** One line of facts. */
export function Field({ label, value, note, mono = false, strong = false, whole = false }: FieldProps) {
  if (value === undefined || value === '') return null;
  return (
    <>
      <dt className={whole ? 'whole-line' : undefined}>{label}</dt>
      <dd className={whole ? 'whole-line' : undefined}>
        <span className={mono ? 'value mono' : 'value'}>
          {strong ? <b>{shown(value, MAX_FIELD)}</b> : shown(value, MAX_FIELD)}
          {note !== undefined && note !== '' && <span className="ink-3"> {note}</span>}
        </span>
        <CopyButton text={value} label={label} />
      </dd>
    </>
  );
}
