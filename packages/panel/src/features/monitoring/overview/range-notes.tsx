import { Link } from '@tanstack/react-router';
import { useText } from '../../../platform/i18n/index.ts';
import { useStatus } from '../../../platform/queries/queries.ts';
import type { ResolvedRange } from '../../../platform/range/range.ts';
import { Note } from '../../../ui/feedback/note.tsx';

const WEEK_MS = 7 * 86_400_000;
/** A local week may lack an hour. */
const SLACK_MS = 3_600_000;

/** Explains why a range may be slow, with the solution. */
export function RangeNotes({ range }: { readonly range: ResolvedRange }) {
  const { t } = useText();
  const { data } = useStatus();
  const slow =
    range.toMs - range.fromMs >= WEEK_MS - SLACK_MS && data?.databaseMaintenance.performanceDegraded === true;
  if (!slow) return null;
  return (
    <Note
      tone="wait"
      fact={t('monitoring.slowFact')}
      action={
        <Link to="/usage-maintenance" search={{}} className="link">
          {t('monitoring.openMaintenance')}
        </Link>
      }
    >
      {t('monitoring.slowText')}
    </Note>
  );
}
