import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Marked } from '../../ui/display/marked.tsx';
import { readArchivesSearch, writeArchivesSearch } from './archives-search.ts';
import type { Blocker, Coverage } from './gates.ts';
import { STAGE_WORDS } from './runs/run-view.ts';
import { Progress } from './runs/stage-progress.tsx';

/** Replaces a button: what it waits for, with the progress. */
export function BlockerText({ blocker }: { readonly blocker: Blocker }) {
  const { t } = useText();
  switch (blocker.kind) {
    case 'migration':
      return (
        <Stack gap="xs" align="flex-start">
          <p className="ink-2">{t(blocker.failed ? 'archives.migrationFailedText' : 'archives.migrationText')}</p>
          {!blocker.failed && <CountProgress label={t('archives.readyMigration')} {...blocker} />}
        </Stack>
      );
    case 'coverage':
      return (
        <Stack gap="xs" align="flex-start">
          <p className="ink-2">{t('archives.coverageText')}</p>
          {blocker.lagging.map((coverage) => (
            <CoverageProgress key={coverage.name} coverage={coverage} />
          ))}
        </Stack>
      );
    case 'deleteOff':
      return (
        <p className="ink-2">
          <Marked text={t('archives.deleteOffText')} />
        </p>
      );
    case 'locked': {
      const stage = STAGE_WORDS[blocker.operation];
      return (
        <p className="ink-2">
          {t('archives.lockedText', { stage: stage === undefined ? blocker.operation : t(stage) })}{' '}
          <OpenRun id={blocker.runId} />
        </p>
      );
    }
  }
}

function CountProgress({
  label,
  done,
  target,
}: {
  readonly label: string;
  readonly done: number;
  readonly target: number;
}) {
  const { t } = useText();
  const text = t('archivePhase.of', { done: formatCount(done), all: formatCount(target) });
  return <Progress label={label} done={done} total={target} text={target > 0 ? text : t('archivePhase.working')} />;
}

/** Progress of the sums; a name of a later server is shown unchanged. */
function CoverageProgress({ coverage }: { readonly coverage: Coverage }) {
  const { t } = useText();
  const label =
    coverage.name === 'migration'
      ? t('archives.readyMigration')
      : coverage.name === 'hourly_aggregate'
        ? t('archives.readyHourly')
        : coverage.name;
  return <CountProgress label={label} done={coverage.done} target={coverage.target} />;
}

/** Opens the drawer of a run beside the open tab. */
export function OpenRun({ id }: { readonly id: string }) {
  const { t } = useText();
  return (
    <Link
      to="."
      search={(before: UrlSearch) => writeArchivesSearch({ ...readArchivesSearch(before), run: id }, before)}
      className="link"
    >
      {t('archives.openRun')}
    </Link>
  );
}
