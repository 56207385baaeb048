import { useText } from '../../platform/i18n/index.ts';
import type { TableSelection } from './types.ts';

/** All rows of the table, visible or not. */
export function SelectAll<R>({
  selection,
  rows,
  rowKey,
}: {
  readonly selection: TableSelection;
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string;
}) {
  const { t } = useText();
  const chosen = rows.reduce((count, row) => count + (selection.keys.has(rowKey(row)) ? 1 : 0), 0);
  const all = rows.length > 0 && chosen === rows.length;
  return (
    <label className="select-target">
      <input
        type="checkbox"
        aria-label={t('grid.selectAll')}
        checked={all}
        disabled={rows.length === 0}
        ref={(box) => {
          if (box !== null) box.indeterminate = chosen > 0 && !all;
        }}
        onChange={() => selection.onChange(new Set(all ? [] : rows.map(rowKey)))}
      />
    </label>
  );
}

export function SelectRow({
  name,
  checked,
  onToggle,
}: {
  readonly name: string;
  readonly checked: boolean;
  /** @param range the shift key is held: all rows since the last click */
  readonly onToggle: (range: boolean) => void;
}) {
  const { t } = useText();
  return (
    <label className="select-target">
      <input
        type="checkbox"
        aria-label={t('grid.select', { name })}
        checked={checked}
        onChange={({ nativeEvent }) => onToggle('shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
      />
    </label>
  );
}
