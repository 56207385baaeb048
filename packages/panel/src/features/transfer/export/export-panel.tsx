import { Group, SimpleGrid, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useServices } from '../../../platform/api/services.ts';
import { useNow } from '../../../platform/browser/clock.ts';
import { formatBytes, formatCount, formatDuration, NONE } from '../../../platform/format/format.ts';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { useStatus } from '../../../platform/queries/queries.ts';
import { useStore } from '../../../platform/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Marked } from '../../../ui/display/marked.tsx';
import { Status, type StatusTone } from '../../../ui/display/status.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useTransfers } from '../transfers.ts';
import type { ExportPhase, ExportState } from './controller.ts';
import { ExportFailureNote } from './export-failure.tsx';

const WORDS: Readonly<Partial<Record<ExportPhase, readonly [StatusTone, TextKey]>>> = {
  choosing: ['wait', 'usageExport.choosing'],
  starting: ['wait', 'usageExport.starting'],
  running: ['wait', 'usageExport.running'],
  completed: ['ok', 'usageExport.completed'],
  cancelled: ['off', 'usageExport.cancelled'],
  failed: ['bad', 'usageExport.failed'],
};

/** From this size on a file kept in memory may be too much for the browser, bytes. */
const LARGE_BYTES = 500_000_000;

/** All stored events as one file. */
export function ExportPanel() {
  const { t } = useText();
  const { exports } = useTransfers();
  const state = useStore(exports.store);
  const { data } = useStatus();
  const word = WORDS[state.phase];
  const busy = state.phase === 'choosing' || state.phase === 'starting' || state.phase === 'running';
  return (
    <section className="panel" aria-label={t('usageExport.title')}>
      <div className="panel-head">
        <h2>{t('usageExport.title')}</h2>
        {data !== undefined && (
          <span className="small ink-3 nowrap">
            {t('usageExport.eventsStored', { events: formatCount(data.eventCount ?? data.events) })}
          </span>
        )}
        <span className="spacer" />
        <span role="status">
          {word !== undefined && (
            <Status tone={word[0]} pill>
              {t(word[1])}
            </Status>
          )}
        </span>
      </div>
      <Stack className="panel-body">
        <p className="ink-2">{t('usageExport.text')}</p>
        <p className="ink-2">
          <b>{t('usageExport.excludes')}</b> {t('usageExport.excludesText')}{' '}
          <Link to="/usage-maintenance" search={{}} className="link">
            {t('usageExport.archives')}
          </Link>
        </p>
        <Outcome state={state} />
        <Group className="actions">
          {busy ? (
            <Button disabled={state.phase === 'choosing'} onClick={() => exports.controller.cancel()}>
              {t('usageExport.cancel')}
            </Button>
          ) : (
            <Button onClick={() => exports.controller.start()}>
              <Icon name="download" />
              {t(state.phase === 'idle' ? 'usageExport.start' : 'usageExport.again')}
            </Button>
          )}
          {!busy && state.phase !== 'idle' && (
            <Button kind="quiet" onClick={() => exports.controller.dismiss()}>
              {t('transfer.clear')}
            </Button>
          )}
        </Group>
        <p className="small ink-3">
          {t('usageExport.plainNames')} {!exports.toDisk && t('usageExport.memory')}
        </p>
      </Stack>
    </section>
  );
}

function Outcome({ state }: { readonly state: ExportState }) {
  const { t } = useText();
  const { exports } = useTransfers();
  const { bytes, lines } = exports.controller.progress();
  switch (state.phase) {
    case 'running':
      return <Running state={state} />;
    case 'completed':
      return (
        <p>
          <Marked
            text={t('usageExport.completedText', {
              events: formatCount(lines),
              size: formatBytes(bytes),
              time: formatDuration(state.tookMs),
              file: state.filename,
            })}
          />
        </p>
      );
    case 'cancelled':
      return <p className="ink-2">{t('usageExport.cancelledText')}</p>;
    case 'failed':
      return state.failure === null ? null : <ExportFailureNote failure={state.failure} />;
    default:
      return null;
  }
}

function Running({ state }: { readonly state: ExportState }) {
  const { t } = useText();
  const { exports } = useTransfers();
  const { client } = useServices();
  useNow();
  const { bytes, lines, bytesPerSecond } = exports.controller.progress();
  const rate = bytesPerSecond === null ? NONE : `${formatBytes(Math.round(bytesPerSecond))}/s`;
  return (
    <>
      <SimpleGrid component="dl" cols={3}>
        {(
          [
            ['usageExport.events', formatCount(lines)],
            ['usageExport.size', formatBytes(bytes)],
            ['usageExport.rate', rate],
          ] as const
        ).map(([label, value]) => (
          <div key={label}>
            <dt className="stat-label">{t(label)}</dt>
            <dd className="stat-value">{value}</dd>
          </div>
        ))}
      </SimpleGrid>
      {state.target === 'memory' && bytes >= LARGE_BYTES && (
        <Note tone="warn" fact={t('usageExport.large')}>
          <Marked text={t('usageExport.largeText', { path: `${client.page}v0/management/usage/export` })} />
        </Note>
      )}
    </>
  );
}
