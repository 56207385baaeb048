import { Popover } from '@mantine/core';
import { useText } from '../../../platform/i18n/index.ts';
import type { Density } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ALL_COLUMNS, CLIENT_COLUMNS, type ColumnId, FIXED_COLUMNS, USUAL_COLUMNS } from './columns.ts';

interface ViewMenuProps {
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  /** undefined = this table has no choice of columns. */
  readonly columns: readonly ColumnId[] | undefined;
  readonly density: Density;
  /** null = the default ones. */
  readonly onColumns: (columns: readonly ColumnId[] | null) => void;
  readonly onDensity: (density: Density) => void;
  readonly masked: boolean;
}

/** Columns of the table, and height of its rows. */
export function ViewMenu({ open, onOpen, columns, density, onColumns, onDensity, masked }: ViewMenuProps) {
  const { t } = useText();
  const toggle = (id: ColumnId) => {
    if (columns === undefined) return;
    const next = columns.includes(id) ? columns.filter((other) => other !== id) : [...columns, id];
    const ordered = ALL_COLUMNS.map((column) => column.id).filter((known) => next.includes(known));
    onColumns(ordered.join() === USUAL_COLUMNS.join() ? null : ordered);
  };
  return (
    <Popover opened={open} onChange={onOpen} position="bottom-end" width={300} trapFocus returnFocus>
      <Popover.Target>
        <Button kind="quiet" aria-expanded={open} aria-haspopup="dialog" onClick={() => onOpen(!open)}>
          <Icon name="table" />
          {columns === undefined ? t('view.rows') : t('view.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown style={{ maxHeight: 'min(60vh, 420px)', overflowY: 'auto' }} aria-label={t('view.title')}>
        <div className="form-row">
          <span className="medium">{t('view.density')}</span>
          <Segmented<Density>
            label={t('view.density')}
            value={density}
            options={[
              { value: 'compact', label: t('view.compact') },
              { value: 'comfortable', label: t('view.comfortable') },
            ]}
            onChange={onDensity}
          />
        </div>
        {columns !== undefined && (
          <fieldset style={{ marginTop: 12 }}>
            <legend className="medium">{t('view.columns')}</legend>
            {ALL_COLUMNS.map((column) => {
              const hidden = masked && CLIENT_COLUMNS.includes(column.id);
              return (
                <label key={column.id} className="tick">
                  <input
                    type="checkbox"
                    checked={FIXED_COLUMNS.includes(column.id) || columns.includes(column.id)}
                    disabled={FIXED_COLUMNS.includes(column.id)}
                    onChange={() => toggle(column.id)}
                  />
                  <span>{t(column.label)}</span>
                  {hidden && <span className="ink-3"> {t('view.unmaskedOnly')}</span>}
                </label>
              );
            })}
            <p className="small ink-3">{t('view.fit')}</p>
            <Button kind="quiet" onClick={() => onColumns(null)}>
              {t('view.usual')}
            </Button>
          </fieldset>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
