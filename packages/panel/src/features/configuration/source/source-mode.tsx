import { CODE_EDITOR_PATH } from '@manager/core/contract/constants';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { CodeEditor, CodeEditorModule } from '../../../code-editor/types.ts';
import { loadPartFile, RUN_PART } from '../../../platform/api/part-file.ts';
import { useManaged, useServices } from '../../../platform/api/services.ts';
import { formatCount } from '../../../platform/format/format.ts';
import { type Translate, useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { usePhone } from '../../../ui/use-phone.ts';
import type { Misfit } from '../model/misfits.ts';
import type { TextProblem } from '../model/yaml-text.ts';
import { misfitText, problemText } from '../problem-text.ts';
import { PIECE_LINES, pieceOf } from './pieces.ts';
import { searchPhrases } from './search-phrases.ts';

/** What was typed but not reported yet. */
export interface SourceHandle {
  readonly flush: () => void;
}

interface SourceModeProps {
  readonly text: string;
  readonly problems: readonly TextProblem[];
  readonly misfits: readonly Misfit[];
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
  readonly handle: Ref<SourceHandle>;
}

/** How long typing rests before the text is read, ms: copying megabytes with each key would be felt. */
const TYPING_PAUSE_MS = 400;

let loading: Promise<CodeEditorModule | null> | undefined;

/** The text itself, in the code editor where the manager serves it, else in a text area. */
export function SourceMode(props: SourceModeProps) {
  const { t } = useText();
  const { client } = useServices();
  const masker = useMasker();
  const managed = useManaged();
  const [module, setModule] = useState<CodeEditorModule | null | undefined>(managed ? undefined : null);
  useEffect(() => {
    if (!managed) return;
    loading ??= loadPartFile<CodeEditorModule>({
      ...RUN_PART,
      page: client.page,
      path: CODE_EDITOR_PATH,
      digest: __CODE_EDITOR_DIGEST__,
    });
    let wanted = true;
    void loading.then((loaded) => {
      // A failure is tried again with the next visit.
      if (loaded === null) loading = undefined;
      if (wanted) setModule(loaded);
    });
    return () => {
      wanted = false;
    };
  }, [managed, client]);
  return (
    <section className="panel config-source" aria-label={t('config.sourceLabel')} aria-busy={module === undefined}>
      {props.problems.slice(0, 3).map((problem) => (
        <p key={`${problem.line}.${problem.column}`} className="form-error config-problem" role="alert">
          {problemText(t, problem)}
        </p>
      ))}
      {props.misfits.slice(0, 3).map((misfit) => (
        <Note key={misfit.id} tone="warn" fact={misfitText(t, masker, misfit)} />
      ))}
      {module === undefined ? (
        <div className="skeleton config-editor" />
      ) : module === null ? (
        <PlainEditor {...props} note={t(managed ? 'config.plainNote' : 'config.plainAlone')} />
      ) : (
        <RichEditor {...props} module={module} t={t} />
      )}
    </section>
  );
}

/** Reports what is typed after a pause, and at once when asked. */
function useTyping(read: () => string, text: string, onText: (text: string) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reported = useRef(text);
  const current = useRef({ read, onText });
  useEffect(() => {
    current.current = { read, onText };
  });
  const flush = () => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    reported.current = current.current.read();
    current.current.onText(reported.current);
  };
  const onChange = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, TYPING_PAUSE_MS);
  };
  return { flush, onChange, reported };
}

function RichEditor({
  module,
  text,
  problems,
  misfits,
  onText,
  onSave,
  handle,
  t,
}: SourceModeProps & { readonly module: CodeEditorModule; readonly t: Translate }) {
  const masker = useMasker();
  const masked = masker.on;
  const phone = usePhone();
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(null);
  const { flush, onChange, reported } = useTyping(() => editor.current?.text() ?? text, text, onText);
  const live = useRef({ onChange, onSave, flush });
  useEffect(() => {
    live.current = { onChange, onSave, flush };
  });
  const first = useRef({ text, masked, t, phone });
  useEffect(() => {
    if (parent.current === null) return;
    const made = module.createCodeEditor({
      parent: parent.current,
      text: first.current.text,
      label: first.current.t('config.sourceLabel'),
      masked: first.current.masked,
      wrapped: first.current.phone,
      phrases: searchPhrases(document.documentElement.lang),
      onChange: () => live.current.onChange(),
      onSave: () => live.current.onSave(),
    });
    editor.current = made;
    return () => {
      live.current.flush();
      editor.current = null;
      made.destroy();
    };
  }, [module]);
  useEffect(() => {
    if (text === reported.current) return;
    reported.current = text;
    editor.current?.setText(text);
  }, [text, reported]);
  useEffect(() => editor.current?.setMasked(masked), [masked]);
  useEffect(() => {
    editor.current?.setProblems([
      ...problems.map((problem) => ({ ...problem, severity: 'error' as const, message: problemText(t, problem) })),
      ...misfits.map((misfit) => ({ ...misfit, severity: 'warning' as const, message: misfitText(t, masker, misfit) })),
    ]);
  }, [problems, misfits, masker, t]);
  useImperativeHandle(handle, () => ({ flush: () => live.current.flush() }));
  return <div ref={parent} className="config-editor" />;
}

/** A text area has line breaks of one kind: those of the text return with what is typed. */
function withLineBreaksOf(text: string, typed: string): string {
  return /^(?:[^\n]*\r\n)+[^\r\n]*$/.test(text) ? typed.replaceAll('\n', '\r\n') : typed;
}

/** Shows a piece of a long text. */
function PlainEditor({ text, onText, onSave, handle, note }: SourceModeProps & { readonly note: string }) {
  const { t } = useText();
  const { on: masked } = useMasker();
  const [shown, setShown] = useState(false);
  const [piece, setPiece] = useState(() => pieceOf(text, 0));
  const { index, head, body, tail, firstLine, lastLine, lines } = piece;
  const area = useRef<HTMLTextAreaElement>(null);
  /** The piece as the text area has it; null = unchanged. */
  const typed = useRef<string | null>(null);
  const { flush, onChange, reported } = useTyping(
    () => head + (typed.current === null ? body : withLineBreaksOf(reported.current, typed.current)) + tail,
    text,
    onText,
  );
  const last = useRef(flush);
  useEffect(() => {
    last.current = flush;
  });
  useEffect(() => () => last.current(), []);
  useEffect(() => {
    if (text === reported.current) return;
    reported.current = text;
    typed.current = null;
    setPiece((before) => pieceOf(text, before.index));
  }, [text, reported]);
  const hidden = masked && !shown;
  useEffect(() => {
    if (area.current !== null && !hidden) area.current.value = typed.current ?? piece.body;
  }, [piece, hidden]);
  useImperativeHandle(handle, () => ({ flush: () => last.current() }));
  const turn = (to: number) => {
    flush();
    typed.current = null;
    setPiece(pieceOf(reported.current, to));
  };
  if (hidden) {
    return (
      <EmptyState
        title={t('config.hiddenText')}
        text={t('config.hiddenHint')}
        action={<Button onClick={() => setShown(true)}>{t('config.showText')}</Button>}
      />
    );
  }
  return (
    <>
      <Note tone="wait" fact={note} />
      {lines > PIECE_LINES && (
        <div className="filter-bar config-pieces">
          <Button disabled={index === 0} onClick={() => turn(index - 1)}>
            {t('config.linesBefore')}
          </Button>
          <span role="status">
            {t('config.linesShown', {
              first: formatCount(firstLine),
              last: formatCount(lastLine),
              lines: formatCount(lines),
            })}
          </span>
          <Button disabled={lastLine === lines} onClick={() => turn(index + 1)}>
            {t('config.linesAfter')}
          </Button>
        </div>
      )}
      <textarea
        ref={area}
        className="config-editor config-plain mono"
        aria-label={t('config.sourceLabel')}
        spellCheck={false}
        autoCapitalize="none"
        wrap="off"
        onChange={({ target }) => {
          typed.current = target.value;
          onChange();
        }}
        onKeyDown={(event) => {
          if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSave();
        }}
      />
    </>
  );
}
