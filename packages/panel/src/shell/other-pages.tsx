import { Link } from '@tanstack/react-router';
import { useText } from '../platform/i18n/index.ts';
import { START_PATH } from '../platform/preferences/preferences.ts';
import { EmptyState, UnsupportedState } from '../ui/feedback/states.tsx';
import { PageFrame } from '../ui/page/page.tsx';
import { useActiveEntry } from './sidebar.tsx';

/** A page whose data only the manager keeps, opened at a gateway alone. */
export function ManagedPage() {
  const { t } = useText();
  const entry = useActiveEntry();
  const title = entry === undefined ? t('notFound.title') : t(entry.label);
  return (
    <PageFrame key={title} title={title} narrow>
      <section className="panel">
        <UnsupportedState
          title={t('otherPages.managed', { page: title })}
          text={t('otherPages.managedText')}
          action={
            <Link to={START_PATH} search={{}} className="link">
              {t('otherPages.open')}
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
              {t('otherPages.open')}
            </Link>
          }
        />
      </section>
    </PageFrame>
  );
}
