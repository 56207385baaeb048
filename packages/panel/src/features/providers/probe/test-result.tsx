import { isSuccess } from '@manager/core/accounts/api-call';
import { formatDuration } from '../../../platform/format/format.ts';
import { maskLog } from '../../../platform/format/mask.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Status } from '../../../ui/display/status.tsx';
import type { Answered } from './ask-provider.ts';

/** Status and duration of a test, and the whole answer where it failed; providers repeat keys in their answers. */
export function TestResult({ answer }: { readonly answer: Answered }) {
  const { t } = useText();
  const fine = isSuccess(answer.status);
  return (
    <div role="status">
      <Status tone={fine ? 'ok' : 'bad'}>
        {[answer.status === 0 ? t('providers.noAnswer') : String(answer.status), formatDuration(answer.ms)].join(' · ')}
      </Status>
      {!fine && <pre className="technical">{maskLog(answer.body)}</pre>}
    </div>
  );
}
