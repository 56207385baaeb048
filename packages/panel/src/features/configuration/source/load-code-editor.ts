import { CODE_EDITOR_PATH } from '@manager/core/contract/constants';
import type { CodeEditorModule } from '../../../code-editor/types.ts';
import { createSha256 } from '../../../platform/sha256.ts';

export interface LoadDeps {
  /** Address of the page without its file name. */
  readonly page: string;
  /** SHA-256 of the file that belongs to this page; '' = none. */
  readonly digest: string;
  readonly fetch: (address: URL) => Promise<Response>;
  /** Runs the script. */
  readonly run: (address: string) => Promise<unknown>;
}

/** The code editor, which the manager serves beside the panel; null = it cannot be had. Another file than the built one never runs. */
export async function loadCodeEditor(deps: LoadDeps): Promise<CodeEditorModule | null> {
  if (deps.digest === '') return null;
  try {
    const answer = await deps.fetch(new URL(`${CODE_EDITOR_PATH.slice(1)}?digest=${deps.digest}`, deps.page));
    if (!answer.ok) return null;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const hash = createSha256();
    hash.update(bytes);
    if (hash.hex() !== deps.digest) return null;
    const address = URL.createObjectURL(new Blob([bytes], { type: 'text/javascript' }));
    try {
      return (await deps.run(address)) as CodeEditorModule;
    } finally {
      URL.revokeObjectURL(address);
    }
  } catch {
    return null;
  }
}
