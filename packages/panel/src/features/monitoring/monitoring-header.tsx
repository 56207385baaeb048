import { Menu } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';
import { toggleMasking, useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DotsIcon, Icon } from '../../ui/icons.tsx';
import {
  MaskingButton,
  RefreshButton,
  RefreshChoices,
  RefreshControl,
  TimeZoneMenu,
} from '../../ui/page/header-parts.tsx';

interface MonitoringActionsProps {
  readonly atMs: number | null;
  readonly busy: boolean;
  readonly onRefresh: () => void;
  readonly onExport: () => void;
}

/** Right end of the header on a wide screen. */
export function MonitoringActions({ atMs, busy, onRefresh, onExport }: MonitoringActionsProps) {
  const { t } = useText();
  return (
    <>
      <TimeZoneMenu />
      <Button onClick={onExport}>
        <Icon name="download" />
        {t('export.open')}
      </Button>
      <RefreshControl atMs={atMs} busy={busy} onRefresh={onRefresh} />
      <MaskingButton />
    </>
  );
}

/** The same on a narrow screen: refresh, the rest in a menu. */
export function MonitoringNarrowActions({ busy, onRefresh, onExport }: MonitoringActionsProps) {
  const { t } = useText();
  const masker = useMasker();
  return (
    <>
      <RefreshButton busy={busy} onRefresh={onRefresh} />
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button kind="quiet" square aria-label={t('shell.more')}>
            <DotsIcon />
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="80vh" style={{ overflowY: 'auto' }}>
          <Menu.Item onClick={toggleMasking}>{masker.on ? t('masking.show') : t('masking.hide')}</Menu.Item>
          <Menu.Item onClick={onExport}>{t('export.requests')}</Menu.Item>
          <RefreshChoices />
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
