import { Link } from '@tanstack/react-router';
import { useText } from '../platform/i18n/index.ts';
import { START_PATH } from '../platform/preferences/preferences.ts';
import { EmptyState, UnsupportedState } from '../ui/feedback/states.tsx';
import { Page, PageFrame } from '../ui/page/page.tsx';
import { useActiveEntry } from './sidebar.tsx';

/** A page that a later version brings: it can be opened and shows what is missing. */
export function LaterPage() {
  const { t } = useText();
  const entry = useActiveEntry();
  const title = entry === undefined ? t('notFound.title') : t(entry.label);
  const later = entry?.later;
  return (
    <Page
      // Its own page: focus and title follow.
      key={title}
      title={title}
      narrow
    >
      <section className="panel">
        <UnsupportedState
          title={t('later.title', { page: title })}
          text={`${later === undefined ? '' : `${t(later)} `}${t('later.text')}`}
          action={
            <Link to={START_PATH} search={{}} className="link">
              {t('later.open')}
            </Link>
          }
        />
      </section>
    </Page>
  );
}

/** A page whose data only the manager keeps, opened at a gateway alone. */
export function ManagedPage() {
  const { t } = useText();
  const entry = useActiveEntry();
  const title = entry === undefined ? t('notFound.title') : t(entry.label);
  return (
    <PageFrame key={title} title={title} narrow>
      <section className="panel">
        <UnsupportedState
          title={t('later.managed', { page: title })}
          text={t('later.managedText')}
          action={
            <Link to={START_PATH} search={{}} className="link">
              {t('later.open')}
            </Link>
          }
        />
      </section>
    </PageFrame>
  );
}

export function NotFoundPage() {
  const { t } = useText();
  return (
    <PageFrame title={t('notFound.title')} narrow>
      <section className="panel">
        <EmptyState
          title={t('notFound.text')}
          text={t('notFound.hint')}
          action={
            <Link to={START_PATH} search={{}} className="link">
              {t('later.open')}
            </Link>
          }
        />
      </section>
    </PageFrame>
  );
}
