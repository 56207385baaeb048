import { Drawer } from '@mantine/core';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../icons.tsx';
import { MaskingButton, type Refresh, RefreshButton, TimeZoneMenu } from './header-parts.tsx';
import { useShellParts } from './shell-parts.ts';

interface FrameProps {
  readonly title: string;
  /** Beside the title: state. */
  readonly state?: ReactNode;
  /** Right end of the header, the fixed part last. */
  readonly actions?: ReactNode;
  /** On narrow screens: controls right of the title instead of `actions`. */
  readonly narrowActions?: ReactNode;
  /** Parts of the page, right below its header. */
  readonly tabs?: ReactNode;
  readonly drawer?: ReactNode;
  readonly docked?: boolean;
  /** Text and forms do not need the full width. */
  readonly narrow?: boolean;
  readonly bodyRef?: Ref<HTMLElement>;
  /** False on a page that shows the same in its own way. */
  readonly banners?: boolean;
  readonly children: ReactNode;
}

interface PageProps extends Omit<FrameProps, 'actions' | 'narrowActions'> {
  /** Controls of this page alone, on a wide screen. */
  readonly actions?: ReactNode;
  /** Age of the data. */
  readonly updated?: string;
  readonly refresh?: Refresh;
}

/** A page with the usual right end of the header: time zone, its own controls, refresh and masking. */
export function Page({ actions, updated, refresh, ...frame }: PageProps) {
  return (
    <PageFrame
      {...frame}
      actions={
        <>
          <TimeZoneMenu />
          {actions}
          {updated !== undefined && <span className="small ink-3 head-age">{updated}</span>}
          {refresh !== undefined && <RefreshButton {...refresh} />}
          <MaskingButton />
        </>
      }
      narrowActions={
        refresh !== undefined && (
          <>
            <RefreshButton {...refresh} square />
            <MaskingButton square />
          </>
        )
      }
    />
  );
}

/** Header, scrolling body and drawer of one page. */
export function PageFrame(props: FrameProps) {
  const { t } = useText();
  const { Sidebar, Banners, HeaderNote } = useShellParts();
  const heading = useRef<HTMLHeadingElement>(null);
  const [navigation, setNavigation] = useState(false);
  useEffect(() => {
    document.title = `${props.title} · ${t('shell.product')}`;
  }, [props.title, t]);
  useEffect(() => {
    // A newly opened page takes the focus, so that it is announced and its shortcuts work.
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="page">
      <header className="page-head">
        <span className="only-narrow">
          <Button kind="quiet" square aria-label={t('shell.menu')} onClick={() => setNavigation(true)}>
            <Icon name="menu" />
          </Button>
        </span>
        <h1 ref={heading} tabIndex={-1}>
          {props.title}
        </h1>
        <span className="only-wide row">{props.state}</span>
        <HeaderNote />
        <span className="spacer only-wide" />
        <span className="only-wide row" style={{ gap: 12 }}>
          {props.actions}
        </span>
        <span className="only-narrow row" style={{ gap: 0 }}>
          {props.narrowActions}
        </span>
      </header>
      <div className="page-split" {...(props.docked && props.drawer ? { 'data-docked': '' } : {})}>
        <main
          id="main"
          className="page-body"
          ref={props.bodyRef}
          tabIndex={-1}
          {...(props.narrow ? { 'data-narrow': '' } : {})}
        >
          {props.tabs}
          {props.banners !== false && <Banners />}
          {props.children}
        </main>
        {props.drawer}
      </div>
      <Drawer
        opened={navigation}
        onClose={() => setNavigation(false)}
        withCloseButton={false}
        size={280}
        padding={0}
        classNames={{ content: 'nav-drawer' }}
        styles={{ body: { height: '100%', padding: 0 } }}
        attributes={{ content: { 'aria-label': t('shell.mainNavigation') } }}
      >
        <Sidebar onFollow={() => setNavigation(false)} />
      </Drawer>
    </div>
  );
}
