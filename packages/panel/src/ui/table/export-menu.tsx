import { Menu } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { createStore, useStore } from '../../platform/store.ts';
import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../dialog/dialog.tsx';
import { Icon } from '../icons.tsx';
import { type ExportColumn, exportFileName, rowsToCsv, rowsToJson, saveFile } from './export.ts';

/** Whether this tab has confirmed that files of unmasked tables contain full names. */
const unmaskedConfirmed = createStore(false);
type FileKind = 'csv' | 'excel' | 'json';
/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

interface ExportMenuProps<R> {
  /** First part of the file name: letters and dashes. */
  readonly name: string;
  readonly columns: readonly ExportColumn<R>[];
  readonly rows: readonly R[];
  /** Icon alone, where there is little room. */
  readonly square?: boolean;
}

/** Saves the data of a table or chart as CSV or JSON, made in the browser; unmasked names are confirmed once. */
export function ExportMenu<R>({ name, columns, rows, square = false }: ExportMenuProps<R>) {
  const { t } = useText();
  const masked = useMasker().on;
  const told = useStore(unmaskedConfirmed);
  const [asking, setAsking] = useState<FileKind | null>(null);
  const save = (kind: FileKind) => {
    const file = exportFileName(name, Date.now());
    if (kind === 'json') saveFile(`${file}.json`, 'application/json', rowsToJson(columns, rows));
    else {
      const mark = kind === 'excel' ? BYTE_ORDER_MARK : '';
      saveFile(`${file}.csv`, 'text/csv;charset=utf-8', mark + rowsToCsv(columns, rows));
    }
  };
  const choose = (kind: FileKind) => (masked || told ? save(kind) : setAsking(kind));
  const items = [
    ['csv', t('export.csv')],
    ['excel', t('export.csvMark')],
    ['json', t('export.json')],
  ] as const;
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button kind="quiet" square={square} aria-label={square ? t('export.open') : undefined}>
            <Icon name="download" />
            {!square && t('export.open')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('export.rows', { count: rows.length, rows: formatCount(rows.length) })}</Menu.Label>
          {items.map(([kind, label]) => (
            <Menu.Item key={kind} disabled={rows.length === 0} onClick={() => choose(kind)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking !== null}
        onClose={() => setAsking(null)}
        title={t('export.unmaskedTitle')}
        confirmLabel={t('export.unmaskedSave')}
        onConfirm={() => {
          unmaskedConfirmed.set(true);
          if (asking !== null) save(asking);
        }}
      >
        {t('export.unmaskedText')}
      </ConfirmDialog>
    </>
  );
}
