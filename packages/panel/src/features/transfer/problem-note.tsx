import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import type { ReactNode } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Marked } from '../../ui/display/marked.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { problemDetail, problemText } from './problem-text.ts';
import type { UploadProblem } from './upload/problem.ts';

/** What went wrong, the consequence, and the server's message. */
export function ProblemNote({
  problem,
  result = null,
  action,
}: {
  readonly problem: UploadProblem;
  readonly result?: ImportResult | null;
  readonly action?: ReactNode;
}) {
  const { t } = useText();
  const masker = useMasker();
  const { fact, text, hop, quotes } = problemText(problem, result);
  const detail = masker.text(problemDetail(problem));
  const words = t(text, { hop: hop ?? t('importProblem.proxyUnknown') });
  return (
    <Note tone={problem.resumable ? 'warn' : 'bad'} fact={t(fact)} action={action}>
      <Marked text={words} />
      {detail !== '' && (
        <span className={quotes ? 'wrap' : 'wrap tiny ink-3'} style={{ display: 'block' }}>
          {detail}
        </span>
      )}
    </Note>
  );
}
