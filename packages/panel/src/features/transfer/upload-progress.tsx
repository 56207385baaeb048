import { Stack } from '@mantine/core';
import { useServices } from '../../platform/api/services.ts';
import { useNow } from '../../platform/browser/clock.ts';
import { formatBytes } from '../../platform/format/format.ts';
import { shortTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useSpan } from '../../ui/feedback/states.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { useTransfers } from './transfers.ts';
import { hopName } from './upload/problem.ts';
import { RETRY_WAITS_MS } from './upload/retry.ts';
import type { UploadState } from './upload/state.ts';
import type { UploadView } from './upload-view.ts';

/** Both bars of an active import, its rate, and notes about it. */
export function UploadProgress({ state, view }: { readonly state: UploadState; readonly view: UploadView }) {
  const { t } = useText();
  return (
    <>
      <ProgressBar label={t('transfer.progressUpload')} bar={view.upload} />
      <ProgressBar label={t('transfer.progressImport')} bar={view.processing} />
      <Numbers state={state} />
      <Remarks state={state} />
    </>
  );
}

function Numbers({ state }: { readonly state: UploadState }) {
  const { t } = useText();
  const span = useSpan();
  // The rate becomes outdated while nothing arrives.
  useNow();
  const { controller } = useTransfers().uploads;
  const { sentBytes, bytesPerSecond, secondsLeft } = controller.progress();
  const parts = [
    // The progress of a single request is unknown.
    state.session === null
      ? ''
      : t('transfer.receivedOf', { done: formatBytes(sentBytes), all: formatBytes(state.file?.sizeBytes) }),
    bytesPerSecond === null ? '' : `${formatBytes(Math.round(bytesPerSecond))}/s`,
    secondsLeft === null ? '' : t('transfer.left', { span: span(secondsLeft * 1_000) }),
  ];
  return <div className="small ink-2">{parts.filter((part) => part !== '').join(' · ')}</div>;
}

function Remarks({ state }: { readonly state: UploadState }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const span = useSpan();
  const now = useNow();
  const { client } = useServices();
  const { phase, session, hashedBytes, retry, smaller } = state;
  const texts: string[] = [];
  if (phase === 'hashing' && session !== null && session.received_bytes > 0)
    texts.push(
      t('transfer.comparingText', { done: formatBytes(hashedBytes), all: formatBytes(session.received_bytes) }),
    );
  if (phase === 'paused' && session !== null)
    texts.push(t('transfer.pausedText', { time: shortTime(session.expires_at_ms, now, zone, locale) }));
  if (phase === 'watching') texts.push(t('transfer.watchingText'));
  if (session?.status === 'processing')
    texts.push(t('transfer.processingText', { span: span(client.now() - session.updated_at_ms) }));
  if (smaller !== null) {
    const size = formatBytes(smaller.sliceBytes);
    const hop = smaller.hop === null ? null : hopName(smaller.hop) || t('importProblem.proxyUnknown');
    texts.push(hop === null ? t('transfer.smallerTimeout', { size }) : t('transfer.smaller', { hop, size }));
  }
  if (retry !== null) {
    const seconds = Math.round(retry.waitMs / 1_000);
    texts.push(t('transfer.retry', { attempt: retry.attempt, tries: RETRY_WAITS_MS.length, seconds }));
  }
  if (texts.length === 0) return null;
  return (
    <Stack component="ul" gap="xs" className="small ink-2">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </Stack>
  );
}
