import { type ReactNode, useRef, useState } from 'react';
import { formatBytes, formatCount } from '../../../platform/format/format.ts';
import { dateAndTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx';
import { FactLines } from '../../../ui/display/fact-lines.tsx';
import { Marked } from '../../../ui/display/marked.tsx';
import { DeletionEffects } from '../deletion-effects.tsx';
import type { Run } from '../wire.ts';
import type { Wish } from './run-foot.tsx';
import { STAGE_WORDS } from './run-view.ts';

interface RunDialogsProps {
  /** Null = no dialog. */
  readonly wish: Wish | null;
  readonly onConfirm: (wish: Wish) => void;
  readonly onClose: () => void;
}

/** Confirms every start, and twice before rows are deleted. Verification needs no confirmation. */
export function RunDialogs({ wish, onConfirm, onClose }: RunDialogsProps) {
  const { t } = useText();
  const confirm = () => {
    if (wish !== null) onConfirm(wish);
  };
  const resume = wish?.command === 'resume' ? wish : null;
  const begins = resume !== null && resume.run.status === 'previewed';
  return (
    <>
      <ConfirmDialog
        opened={begins}
        onClose={onClose}
        title={t('archives.startTitle')}
        confirmLabel={t('archives.startArchiving')}
        onConfirm={confirm}
      >
        {resume !== null && <p>{t('archives.startText', { events: formatCount(resume.run.event_count) })}</p>}
        <p style={{ marginTop: 12 }}>{t('archives.startNote')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={resume !== null && !begins}
        onClose={onClose}
        title={t('archives.resumeTitle')}
        confirmLabel={t('archives.resume')}
        onConfirm={confirm}
        danger={resume?.stage === 'deleting' || resume?.run.automatic === true}
      >
        {resume !== null && <ResumeText wish={resume} />}
      </ConfirmDialog>
      <DeleteDialogs run={wish?.command === 'delete' ? wish.run : null} onConfirm={confirm} onClose={onClose} />
      <ConfirmDialog
        opened={wish?.command === 'cancel'}
        onClose={onClose}
        title={t('archives.cancelTitle')}
        confirmLabel={t('archives.cancelRun')}
        onConfirm={confirm}
        danger
      >
        <p>{t('archives.cancelText')}</p>
        {(wish?.run.archived_event_count ?? 0) > 0 && <p style={{ marginTop: 12 }}>{t('archives.cancelFiles')}</p>}
      </ConfirmDialog>
    </>
  );
}

function ResumeText({ wish }: { readonly wish: Wish }) {
  const { t } = useText();
  const label = STAGE_WORDS[wish.stage ?? ''];
  const stage = label === undefined ? (wish.stage ?? '') : t(label);
  return (
    <>
      <p>{t('archives.resumeText', { stage })}</p>
      <p style={{ marginTop: 12 }}>
        <Marked text={t(wish.stage === 'deleting' ? 'archives.resumeDeletingText' : 'archives.resumeOtherText')} />
      </p>
      {wish.run.automatic === true && wish.stage !== 'deleting' && (
        <p style={{ marginTop: 12 }}>{t('archives.resumeAutomatic', { rows: formatCount(wish.run.event_count) })}</p>
      )}
    </>
  );
}

/** First what is deleted and what stays, then the typed number of rows. */
function DeleteDialogs({
  run,
  onConfirm,
  onClose,
}: {
  readonly run: Run | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useText();
  /** The run whose first question was confirmed. */
  const [agreed, setAgreed] = useState<string | null>(null);
  const second = run !== null && agreed === run.id;
  const close = () => {
    setAgreed(null);
    onClose();
  };
  return (
    <>
      <FirstQuestion run={second ? null : run} onAgree={setAgreed} onClose={close} />
      <ConfirmDialog
        opened={second}
        onClose={close}
        title={t('archives.deleteTypeTitle')}
        confirmLabel={t('archives.deleteRows', { rows: formatCount(rowsOf(run)) })}
        onConfirm={onConfirm}
        danger
        typedWord={String(rowsOf(run))}
      >
        <p>{t('archives.deleteTypeText', { rows: formatCount(rowsOf(run)) })}</p>
      </ConfirmDialog>
    </>
  );
}

const rowsOf = (run: Run | null): number => (run === null ? 0 : run.archived_event_count - run.deleted_event_count);

function FirstQuestion({
  run,
  onAgree,
  onClose,
}: {
  readonly run: Run | null;
  readonly onAgree: (id: string) => void;
  readonly onClose: () => void;
}) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const answered = useRef(false);
  const time = (ms: number | undefined) => `${dateAndTime(ms, zone, locale, true)} ${zone}`;
  const facts: readonly (readonly [string, ReactNode])[] =
    run === null
      ? []
      : [
          [t('archives.strictlyBefore'), time(run.cutoff_timestamp_ms)],
          [t('archives.rowsToDelete'), formatCount(rowsOf(run))],
          [t('archives.rowsArchived'), formatCount(run.archived_event_count)],
          [t('archives.verifiedAt'), time(run.verified_at_ms)],
          [t('archives.compressed'), formatBytes(run.archived_compressed_bytes)],
        ];
  return (
    <ConfirmDialog
      opened={run !== null}
      onClose={() => {
        // The first dialog closes for the second one.
        if (!answered.current) onClose();
        answered.current = false;
      }}
      title={t('archives.deleteTitle')}
      confirmLabel={t('common.continue')}
      onConfirm={() => {
        if (run === null) return;
        answered.current = true;
        onAgree(run.id);
      }}
      danger
      size="review"
    >
      <dl className="definitions facts">
        <FactLines facts={facts} />
      </dl>
      <DeletionEffects />
      <p style={{ marginTop: 12 }}>{t('archives.deleteNote')}</p>
    </ConfirmDialog>
  );
}
