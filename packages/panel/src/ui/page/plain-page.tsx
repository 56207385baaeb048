import { type ReactNode, useEffect } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { useHost } from '../../platform/queries/queries.ts';
import { BrandMark } from '../icons.tsx';
import { LanguageMenu, ThemeMenu } from './display-menus.tsx';

/** A page outside of the shell: sign-in and setup. */
export function PlainPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { t } = useText();
  const host = useHost();
  const demo = host.data?.kind === 'manager' && host.data.info.demo === true;
  useEffect(() => {
    document.title = `${title} · ${t('shell.product')}`;
  }, [title, t]);
  return (
    <>
      <header className="plain-head">
        <BrandMark />
        <span>{t('shell.product')}</span>
        {demo && <span className="tag">{t('shell.demo')}</span>}
        <span className="spacer" />
        <LanguageMenu named />
        <ThemeMenu />
      </header>
      <main className="plain-main">{children}</main>
    </>
  );
}
