import { Group, Stack } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { formatBytes } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useStore } from '../../platform/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/display/status.tsx';
import { DropZone } from './drop-zone.tsx';
import { ProblemNote } from './problem-note.tsx';
import { isCrowded } from './problem-text.ts';
import { ActiveSessions } from './sessions/active-sessions.tsx';
import { ResultTable } from './sessions/result-table.tsx';
import { useTransfers } from './transfers.ts';
import type { UploadProblem } from './upload/problem.ts';
import type { SessionList, UploadSession } from './upload/session.ts';
import { canCancel, canResume, isAtRest, type UploadState } from './upload/state.ts';
import { UploadProgress } from './upload-progress.tsx';
import { type UploadView, uploadView } from './upload-view.ts';
import type { FileChoice } from './use-file-choice.ts';

interface ImportPanelProps {
  readonly choice: FileChoice;
  /** Limits of the server and its active imports. */
  readonly list: SessionList | undefined;
  readonly busy: ReadonlySet<string>;
  readonly onCancel: (session: UploadSession) => void;
  /** The import of this tab. */
  readonly onCancelCurrent: () => void;
}

/** Choosing a file, its progress, and the result. */
export function ImportPanel(props: ImportPanelProps) {
  const { t } = useText();
  const { uploads } = useTransfers();
  const state = useStore(uploads.store);
  const view = uploadView(state, uploads.controller.progress().percent);
  const heading = useFocusAfter(`${state.phase === 'idle'} ${isAtRest(state)}`);
  return (
    <section
      className="panel import-panel"
      aria-label={t('transfer.title')}
      {...(isAtRest(state) ? {} : { 'data-running': '' })}
    >
      <div className="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {t('transfer.title')}
        </h2>
        <span className="spacer" />
        <span role="status">
          {state.phase !== 'idle' && (
            <Status tone={view.tone} pill>
              {t(view.word)}
            </Status>
          )}
        </span>
      </div>
      <Stack className="panel-body">
        {state.phase === 'idle' ? <Begin {...props} /> : <Under {...props} state={state} view={view} />}
      </Stack>
    </section>
  );
}

/** Longer than a dialog takes to close, ms. */
const FOCUS_AFTER_MS = 300;

/** When the controls change, the focused one may be gone: then the heading takes the focus. */
function useFocusAfter(controls: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(controls);
  useEffect(() => {
    if (before.current === controls) return;
    before.current = controls;
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    }, FOCUS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [controls]);
  return heading;
}

function Begin({ choice }: ImportPanelProps) {
  return (
    <>
      {choice.refused !== null && <ProblemNote problem={choice.refused} />}
      <DropZone choice={choice} />
    </>
  );
}

function Under(props: ImportPanelProps & { readonly state: UploadState; readonly view: UploadView }) {
  const masker = useMasker();
  const { state, view, choice } = props;
  const { file, problem, result } = state;
  const name = masker.file(file?.name ?? '');
  const inFlight = !isAtRest(state) || canResume(state);
  return (
    <>
      <div className="row">
        <b className="ellipsis" title={name}>
          {name}
        </b>
        <span className="small ink-3 nowrap">{formatBytes(file?.sizeBytes)}</span>
      </div>
      {inFlight && <UploadProgress state={state} view={view} />}
      {problem !== null && <ProblemNote problem={problem} result={result} />}
      {problem !== null && <Crowd {...props} problem={problem} />}
      {result !== null && file !== null && <ResultTable filename={name} result={result} />}
      {choice.refused !== null && <ProblemNote problem={choice.refused} />}
      <Actions {...props} />
    </>
  );
}

/** The sessions that use the slots and the space this import needs. */
function Crowd({ list, busy, onCancel, problem }: ImportPanelProps & { readonly problem: UploadProblem }) {
  return isCrowded(problem) && list !== undefined ? (
    <ActiveSessions sessions={list.sessions} busy={busy} onCancel={onCancel} />
  ) : null;
}

function Actions({ state, choice, onCancelCurrent }: ImportPanelProps & { readonly state: UploadState }) {
  const { t } = useText();
  const { controller } = useTransfers().uploads;
  const { phase, problem } = state;
  const { last } = choice;
  const pausable = !isAtRest(state) && phase !== 'paused' && phase !== 'processing' && phase !== 'cancelling';
  const anew = last !== null && (problem?.kind === 'prefix_mismatch' || problem?.kind === 'other_file');
  return (
    <Group className="actions">
      {pausable && <Button onClick={() => controller.pause()}>{t('transfer.pause')}</Button>}
      {canResume(state) && (
        <Button kind="primary" onClick={() => controller.resume()}>
          {t('transfer.resume')}
        </Button>
      )}
      {isAtRest(state) && !canResume(state) && (
        <Button kind="primary" onClick={() => (anew ? choice.offer(last) : choice.open())}>
          {anew ? t('transfer.fromStart') : t('transfer.again')}
        </Button>
      )}
      {isAtRest(state) && <Button onClick={() => controller.dismiss()}>{t('transfer.clear')}</Button>}
      {canCancel(state) && (
        <Button kind="quiet" onClick={onCancelCurrent}>
          {t('transfer.cancel')}
        </Button>
      )}
    </Group>
  );
}
