import type { Coverage } from '@manager/core/contract/monitoring-sections';
import { useText } from '../../i18n/index.ts';
import { formatCount } from '../../ui/format.ts';
import { Note } from '../../ui/note.tsx';

/** Said where raw events behind the numbers were deleted after an archive: what stays exact, and what is missing. */
export function CoverageNote({ coverage }: { readonly coverage: Coverage | undefined }) {
  const { t } = useText();
  if (coverage === undefined) return null;
  const before = coverage.comparison_raw_deleted_event_count ?? 0;
  return (
    <Note
      tone="wait"
      fact={t('analytics.coverage', {
        count: coverage.raw_deleted_event_count,
        value: formatCount(coverage.raw_deleted_event_count),
      })}
    >
      {t('analytics.coverageText', { left: formatCount(coverage.raw_event_count ?? 0) })}
      {before > 0 && ` ${t('analytics.coverageBefore', { count: before, value: formatCount(before) })}`}
    </Note>
  );
}
