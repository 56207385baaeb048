/** A problem of the text, shown in the gutter; lines and columns count from 1. */
export interface EditorProblem {
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export interface CodeEditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  /** Name for screen readers. */
  readonly label: string;
  /** Hides values that look like keys, except on the line of the cursor. */
  readonly masked: boolean;
  /** Long lines continue on the next row: for narrow screens. */
  readonly wrapped: boolean;
  /** Texts of the search in the chosen language, by their English ones. */
  readonly phrases: Readonly<Record<string, string>>;
  /** After each change; the text is asked for when it is needed. */
  readonly onChange: () => void;
  readonly onSave: () => void;
}

export interface CodeEditor {
  readonly text: () => string;
  readonly setText: (text: string) => void;
  readonly setMasked: (masked: boolean) => void;
  readonly setProblems: (problems: readonly EditorProblem[]) => void;
  readonly destroy: () => void;
}

/** What the file of the code editor exports. */
export interface CodeEditorModule {
  readonly createCodeEditor: (options: CodeEditorOptions) => CodeEditor;
}
