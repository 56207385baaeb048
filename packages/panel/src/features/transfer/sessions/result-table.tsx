import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import { Group, Stack } from '@mantine/core';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { Shape } from '../../../ui/display/status.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { failuresOf, formatLabel, resultJson, resultRows, warningsOf } from './result-view.ts';

/** Counts of an import, also of one that ended early, with its warnings. */
export function ResultTable({ filename, result }: { readonly filename: string; readonly result: ImportResult }) {
  const { t } = useText();
  const [copied, copy] = useCopied();
  const warnings = warningsOf(result);
  const failures = failuresOf(result);
  return (
    <Stack gap="sm" className="import-result">
      <table className="data" style={{ maxWidth: 480 }} aria-label={t('importResult.label')}>
        <colgroup>
          <col />
          <col style={{ width: 96 }} />
        </colgroup>
        <tbody>
          {resultRows(result).map(({ label, value, hint, bad }) => (
            <tr key={label}>
              <th scope="row">
                {t(label)}
                {hint !== undefined && value > 0 && (
                  <span className="second-line" style={{ display: 'block', paddingBottom: 4, whiteSpace: 'normal' }}>
                    {t(hint)}
                  </span>
                )}
              </th>
              <td className={bad === true ? 'right tone-bad' : 'right'}>{formatCount(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {failures.length > 0 && (
        <Stack component="ul" gap={2} aria-label={t('importFailure.label')}>
          {failures.map(({ line, where, text, reason }) => (
            <li key={where}>
              <b>{line === null ? where : t('importFailure.line', { line: formatCount(line) })}</b>
              {': '}
              {text === null ? reason : t(text)}
            </li>
          ))}
          {result.failed > failures.length && (
            <li className="ink-3">{t('importFailure.more', { count: result.failed - failures.length })}</li>
          )}
        </Stack>
      )}
      {warnings.length > 0 && (
        <Stack component="ul" gap="xs">
          {warnings.map(({ code, text, count }) => (
            <Group component="li" wrap="nowrap" key={code}>
              <Shape tone="warn" />
              {text === null ? <span className="mono">{code}</span> : <span>{t(text, { count })}</span>}
            </Group>
          ))}
        </Stack>
      )}
      <div className="row small ink-3">
        <span className="ellipsis" title={t(formatLabel(result))}>
          {t('importResult.format')}: {t(formatLabel(result))}
        </span>
        <span className="spacer" />
        <Button kind="quiet" onClick={() => copy(resultJson(filename, result))}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? t('common.copied') : t('importResult.copy')}
        </Button>
      </div>
    </Stack>
  );
}
