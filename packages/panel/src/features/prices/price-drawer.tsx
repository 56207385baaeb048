import { type ReactNode, useEffect, useRef } from 'react';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { dialogHasFocus } from '../../ui/dialog/use-drawer-focus.ts';
import { Status } from '../../ui/display/status.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { PriceState } from './price-rows.ts';
import { STATE_WORDS } from './price-words.ts';

/** Frame of the editor: beside the table on wide screens, over it on others. */
export function PriceDrawer({
  model,
  state,
  docked,
  onClose,
  children,
}: {
  /** '' = a model that is to be named. */
  readonly model: string;
  readonly state: PriceState | null;
  readonly docked: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useText();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Over the page it takes the focus; beside the page the table keeps it, so that j and k still work.
    if ((docked && model !== '') || dialogHasFocus()) return;
    const first = panel.current?.querySelector<HTMLElement>('[data-autofocus]') ?? panel.current;
    first?.focus({ preventScroll: true });
  }, [docked, model]);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className="drawer"
      aria-label={t('prices.editor')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      {...(docked ? {} : { 'data-overlay': '' })}
    >
      <div className="drawer-head row">
        {state !== null && (
          <Status tone={STATE_WORDS[state].tone} pill>
            {t(STATE_WORDS[state].label)}
          </Status>
        )}
        <b className="ellipsis">{model === '' ? t('prices.add') : shown(model)}</b>
        <span className="spacer" />
        <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      {children}
    </aside>
  );
}
