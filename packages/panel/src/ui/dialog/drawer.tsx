import { type ReactNode, useEffect } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../icons.tsx';
import { useDrawerFocus } from './use-drawer-focus.ts';

/** Details of one thing: beside the page on wide screens, over it on others. */
export function Drawer({
  label,
  head,
  tabs,
  foot,
  docked,
  entersForm = false,
  onClose,
  children,
}: {
  readonly label: string;
  /** Status and name. */
  readonly head: ReactNode;
  readonly tabs?: ReactNode;
  readonly foot?: ReactNode;
  readonly docked: boolean;
  /** It is opened to be filled in, so its first field takes the focus. */
  readonly entersForm?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useText();
  const panel = useDrawerFocus(docked);
  useEffect(() => {
    if (!entersForm) return;
    const field = panel.current?.querySelector<HTMLElement>('.drawer-scroll :is(input, textarea, select)');
    field?.focus({ preventScroll: true });
  }, [entersForm, panel]);
  return (
    <aside ref={panel} tabIndex={-1} className="drawer" aria-label={label} {...(docked ? {} : { 'data-overlay': '' })}>
      <div className="drawer-head row">
        {head}
        <span className="spacer" />
        <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      {tabs}
      <div className="drawer-scroll">{children}</div>
      {foot !== undefined && <div className="drawer-foot">{foot}</div>}
    </aside>
  );
}
