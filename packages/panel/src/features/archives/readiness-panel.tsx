import { Box, Group } from '@mantine/core';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Marked } from '../../ui/display/marked.tsx';
import { Status } from '../../ui/display/status.tsx';
import { readinessRows } from './gates.ts';
import { progressPercent } from './runs/run-view.ts';
import type { Maintenance } from './wire.ts';

/** Preconditions of archiving and deleting, each with its state and what to do about it. */
export function ReadinessPanel({ maintenance }: { readonly maintenance: Maintenance }) {
  const { t } = useText();
  return (
    <section className="panel" aria-label={t('archives.readiness')}>
      <div className="panel-head">
        <h2>{t('archives.readiness')}</h2>
      </div>
      <ul className="panel-body lines">
        {readinessRows(maintenance).map(({ key, label, tone, word, progress, hint }) => {
          const percent =
            progress === null ? null : progressPercent({ current: progress.done, total: progress.target });
          return (
            <Group component="li" justify="space-between" gap="0 12px" key={key}>
              <span>{label === null ? key : t(label)}</span>
              <Status tone={tone}>{t(word)}</Status>
              {progress !== null && (
                <Box component="span" w="100%" className="small ink-3">
                  {percent !== null && `${percent}% · `}
                  {t('archivePhase.of', { done: formatCount(progress.done), all: formatCount(progress.target) })}
                </Box>
              )}
              {hint !== null && (
                <Box component="span" w="100%" className="small ink-2">
                  <Marked text={t(hint)} />
                </Box>
              )}
            </Group>
          );
        })}
      </ul>
    </section>
  );
}
