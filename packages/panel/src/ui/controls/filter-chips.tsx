import { useText } from '../../platform/i18n/index.ts';
import { Icon } from '../icons.tsx';
import { Button } from './button.tsx';

export interface FilterChip {
  readonly key: string;
  /** `Model: alpha-1`, masked as everything on screen. */
  readonly label: string;
  /** The label in another form; default: the label, which may end in an ellipsis. */
  readonly title?: string;
  readonly onRemove: () => void;
}

/** Every active filter, each with a button to remove it. Nothing is rendered without filters. */
export function FilterChips({
  chips,
  onClear,
}: {
  readonly chips: readonly FilterChip[];
  /** Clear all; null = nothing to clear, such as a range alone. */
  readonly onClear: (() => void) | null;
}) {
  const { t } = useText();
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label={t('filter.active')}>
      {chips.map((chip) => (
        <li className="chip" key={chip.key}>
          <span className="ellipsis" title={chip.title ?? chip.label}>
            {chip.label}
          </span>
          <button
            type="button"
            aria-label={t('filter.remove', { filter: chip.label })}
            title={t('filter.remove', { filter: chip.label })}
            onClick={chip.onRemove}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
      {onClear !== null && (
        <li>
          <Button kind="quiet" onClick={onClear}>
            {t('filter.clearAll')}
          </Button>
        </li>
      )}
    </ul>
  );
}
