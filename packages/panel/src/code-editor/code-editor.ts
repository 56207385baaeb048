import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { CodeEditor, CodeEditorOptions, EditorProblem } from './types.ts';
import { yamlLanguage } from './yaml-language.ts';

// A file of its own, which the panel loads when the source mode opens.

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '12.5px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-ground)',
  },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--warn-ground)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--warn)' },
  '.cm-panels, .cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-textfield': { backgroundColor: 'var(--input)', color: 'var(--ink)', borderColor: 'var(--line-strong)' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--control)', borderColor: 'var(--line-strong)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--chip)', color: 'var(--ink-2)', borderColor: 'var(--line)' },
  '&.cm-masked .cm-line:not(.cm-activeLine) .cm-secret, &.cm-masked:not(.cm-focused) .cm-secret': {
    '-webkit-text-security': 'disc',
  },
});

export function createCodeEditor(options: CodeEditorOptions): CodeEditor {
  const masking = new Compartment();
  const masked = (on: boolean): Extension => EditorView.editorAttributes.of({ class: on ? 'cm-masked' : '' });

  function stateOf(text: string): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        // With mixed line breaks those of Windows stay as characters of their lines.
        EditorState.lineSeparator.of(/^(?:[^\n]*\r\n)+[^\r\n]*$/.test(text) ? '\r\n' : '\n'),
        EditorState.phrases.of(options.phrases),
        EditorView.contentAttributes.of({ 'aria-label': options.label, autocapitalize: 'off', tabindex: '0' }),
        lineNumbers(),
        lintGutter(),
        codeFolding(),
        foldGutter(),
        history(),
        drawSelection(),
        highlightSpecialChars(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        bracketMatching(),
        indentOnInput(),
        indentUnit.of('  '),
        search({ top: true }),
        yamlLanguage(),
        options.wrapped ? EditorView.lineWrapping : [],
        theme,
        masking.of(masked(isMasked)),
        keymap.of([
          { key: 'Mod-s', preventDefault: true, run: save },
          ...searchKeymap,
          ...foldKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          // Escape, then Tab leaves the editor.
          indentWithTab,
        ]),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) options.onChange();
        }),
      ],
    });
  }

  function save(): true {
    options.onSave();
    return true;
  }

  let isMasked = options.masked;
  const view = new EditorView({ state: stateOf(options.text), parent: options.parent });

  function diagnostic({ line, column, severity, message }: EditorProblem): Diagnostic {
    const { doc } = view.state;
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const from = Math.min(at.from + column - 1, at.to);
    return { from, to: at.to, severity, message };
  }

  return {
    text: () => view.state.sliceDoc(),
    setText: (text) => view.setState(stateOf(text)),
    setMasked(on) {
      isMasked = on;
      view.dispatch({ effects: masking.reconfigure(masked(on)) });
    },
    setProblems: (problems) => view.dispatch(setDiagnostics(view.state, problems.map(diagnostic))),
    destroy: () => view.destroy(),
  };
}
