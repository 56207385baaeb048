import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { dialogHasFocus } from '../../ui/dialog/use-drawer-focus.ts';
import { FactLines } from '../../ui/display/fact-lines.tsx';
import { Icon } from '../../ui/icons.tsx';

/** From this width on a drawer docks beside the page. */
export function useDocked(): boolean {
  return useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
}

interface DetailDrawerProps {
  readonly slot: HTMLElement | null;
  /** The kind of item, for screen readers. */
  readonly label: string;
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** Steps to the neighbors, where there is an order. */
  readonly onStep?: ((step: 1 | -1) => void) | undefined;
  readonly onClose: () => void;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** Details of one item of the tab, beside the page or over it. */
export function DetailDrawer(props: DetailDrawerProps) {
  const { slot, label, title, subtitle, onStep, onClose, foot, children } = props;
  const { t } = useText();
  const docked = useDocked();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Over the page it takes the focus; beside the page the table keeps it, so that j and k still work.
    const kept = dialogHasFocus() || (docked && document.activeElement !== document.body);
    if (!kept && slot !== null) panel.current?.focus({ preventScroll: true });
  }, [docked, slot]);
  if (slot === null) return null;
  return createPortal(
    <aside
      ref={panel}
      tabIndex={-1}
      className="drawer"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      {...(docked ? {} : { 'data-overlay': '' })}
    >
      <div className="drawer-head">
        <div className="row">
          <b className="ellipsis" title={title}>
            {title}
          </b>
          <span className="spacer" />
          {onStep !== undefined && (
            <>
              <Button kind="quiet" square aria-label={t('analytics.previous')} onClick={() => onStep(-1)}>
                <Icon name="arrowUp" />
              </Button>
              <Button kind="quiet" square aria-label={t('analytics.next')} onClick={() => onStep(1)}>
                <Icon name="arrowDown" />
              </Button>
            </>
          )}
          <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </div>
        {subtitle !== undefined && (
          <div style={{ marginTop: 4 }} className="small ink-2 wrap">
            {subtitle}
          </div>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it. */}
      <div className="drawer-scroll" tabIndex={0}>
        {children}
      </div>
      {foot !== undefined && <div className="drawer-foot">{foot}</div>}
    </aside>,
    slot,
  );
}

/** Names and values of a section. */
export function Facts({ facts }: { readonly facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="definitions">
      <FactLines facts={facts} />
    </dl>
  );
}
