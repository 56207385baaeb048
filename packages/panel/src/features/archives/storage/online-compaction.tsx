import { formatBytes } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Progress } from '../runs/stage-progress.tsx';
import type { Maintenance } from '../wire.ts';

/** What the manager does about free space while it runs; nothing with a server that never does. */
export function OnlineCompaction({ maintenance }: { readonly maintenance: Maintenance }) {
  const { t } = useText();
  const { compaction, storage } = maintenance;
  if (compaction === undefined) return null;
  const size = (pages: number) => formatBytes(pages * storage.page_size);
  switch (compaction.state) {
    case 'unavailable':
      return <p>{t('storage.onlineOld')}</p>;
    case 'running':
      return (
        <Progress
          label={t('storage.onlineRunning')}
          done={compaction.returned_pages}
          total={compaction.pages_to_return}
          text={t('archivePhase.of', {
            done: size(compaction.returned_pages),
            all: size(compaction.pages_to_return),
          })}
        />
      );
    case 'failed':
      return (
        <p className="tone-warn" role="status">
          {t('storage.onlineFailed', { error: compaction.error ?? '' })}
        </p>
      );
    case 'idle':
      return <p>{t('storage.onlineIdle', { percent: compaction.begins_above_percent })}</p>;
  }
}
