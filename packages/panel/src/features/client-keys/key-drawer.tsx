import type { ReactNode } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useDrawerFocus } from '../../ui/dialog/use-drawer-focus.ts';
import { Status } from '../../ui/display/status.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { KeyRow } from './key-rows.ts';
import { keyTitle, STATE_WORDS } from './key-words.ts';

/** Frame of a key's details: beside the list on wide screens, over it on others. */
export function KeyDrawer({
  row,
  docked,
  onClose,
  children,
  foot,
}: {
  /** null while loading, or missing. */
  readonly row: KeyRow | null;
  readonly docked: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly foot: ReactNode;
}) {
  const { t } = useText();
  const masker = useMasker();
  const panel = useDrawerFocus(docked);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className="drawer"
      aria-label={t('clientKeys.drawer')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      {...(docked ? {} : { 'data-overlay': '' })}
    >
      <div className="drawer-head row">
        {row !== null && (
          <Status tone={STATE_WORDS[row.state].tone} pill>
            {t(STATE_WORDS[row.state].label)}
          </Status>
        )}
        <b className="ellipsis">{row === null ? t('clientKeys.drawer') : keyTitle(row, masker)}</b>
        <span className="spacer" />
        <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <div className="drawer-scroll">{children}</div>
      {foot}
    </aside>
  );
}
