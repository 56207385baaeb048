import { isSuccess } from '@manager/core/accounts/api-call';
import { formatDuration } from '../../../platform/format/format.ts';
import { maskLog } from '../../../platform/format/mask.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Status } from '../../../ui/display/status.tsx';
import type { Answered } from './ask-provider.ts';
import { testWord } from './test-word.ts';

/** Result and duration of a test, and the whole answer where it failed; providers repeat keys in their answers. */
export function TestResult({ answer }: { readonly answer: Answered }) {
  const { t } = useText();
  const { status, host, ms, body } = answer;
  const fine = isSuccess(status);
  return (
    <div role="status">
      <Status tone={fine ? 'ok' : 'bad'}>
        <span style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
          {t(testWord(answer), { status, host })} · {formatDuration(ms)}
        </span>
      </Status>
      {!fine && <pre className="technical">{maskLog(body)}</pre>}
    </div>
  );
}
