import type { EventRow } from '@manager/core/contract/monitoring';
import { Menu } from '@mantine/core';
import { MaskingButton, RefreshChoices, RefreshControl, TimeZoneMenu } from '../../app/header-parts.tsx';
import { toggleMasking, useMasker } from '../../app/masking.ts';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { DotsIcon, Icon } from '../../ui/icons.tsx';
import { saveFile } from '../../ui/table/export.ts';
import { toCsv, toJson } from './export.ts';

interface LiveActionsProps {
  /** Loaded rows: what an export holds. */
  readonly rows: readonly EventRow[];
  readonly atMs: number | null;
  readonly busy: boolean;
  readonly onRefresh: () => void;
}

function ExportItems({ rows }: { readonly rows: readonly EventRow[] }) {
  const { t } = useText();
  const masker = useMasker();
  const save = (kind: 'csv' | 'json') => {
    const name = `requests-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`;
    if (kind === 'csv') saveFile(`${name}.csv`, 'text/csv;charset=utf-8', toCsv(rows, masker));
    else saveFile(`${name}.json`, 'application/json', toJson(rows, masker));
  };
  return (
    <>
      <Menu.Label>{t('export.loaded', { rows: formatCount(rows.length) })}</Menu.Label>
      <Menu.Item disabled={rows.length === 0} onClick={() => save('csv')}>
        {t('export.csv')}
      </Menu.Item>
      <Menu.Item disabled={rows.length === 0} onClick={() => save('json')}>
        {t('export.json')}
      </Menu.Item>
    </>
  );
}

/** Right end of the header on a wide screen. */
export function LiveActions({ rows, atMs, busy, onRefresh }: LiveActionsProps) {
  const { t } = useText();
  return (
    <>
      <TimeZoneMenu />
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button>
            <Icon name="download" />
            {t('export.open')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ExportItems rows={rows} />
        </Menu.Dropdown>
      </Menu>
      <RefreshControl atMs={atMs} busy={busy} onRefresh={onRefresh} />
      <MaskingButton />
    </>
  );
}

/** The same on a narrow screen: refresh, the rest in a menu. */
export function LiveNarrowActions({ rows, busy, onRefresh }: LiveActionsProps) {
  const { t } = useText();
  const masker = useMasker();
  return (
    <>
      <Button kind="quiet" square aria-label={t('refresh.now')} aria-busy={busy} onClick={onRefresh}>
        <Icon name="refresh" />
      </Button>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button kind="quiet" square aria-label={t('shell.more')}>
            <DotsIcon />
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="80vh" style={{ overflowY: 'auto' }}>
          <Menu.Item onClick={toggleMasking}>{masker.on ? t('masking.show') : t('masking.hide')}</Menu.Item>
          <ExportItems rows={rows} />
          <RefreshChoices />
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
