import { useText } from '../../../platform/i18n/index.ts';
import { ErrorState, UnsupportedState } from '../../../ui/feedback/states.tsx';
import type { useEventByHash } from './use-event-by-hash.ts';

/** The drawer of a link while its event is loading, or when it is missing. */
export function FoundState({ found }: { readonly found: ReturnType<typeof useEventByHash> }) {
  const { t } = useText();
  if (found.isPending) {
    return (
      <section aria-busy="true">
        {[120, 320, 240, 280].map((width) => (
          <div key={width} className="skeleton" style={{ width, marginBottom: 12 }} />
        ))}
      </section>
    );
  }
  if (found.error !== null) {
    return <ErrorState title={t('drawer.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />;
  }
  return <UnsupportedState title={t('drawer.notFound')} text={t('drawer.notFoundText')} />;
}
