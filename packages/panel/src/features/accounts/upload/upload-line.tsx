import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { SIGN_IN_PATH, signInAgain } from '../../../platform/accounts/sign-in-again.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { formatBytes } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { accountTitle } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Status, type StatusTone } from '../../../ui/display/status.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import type { PlannedUpload } from './upload-plan.ts';
import type { UploadEnding } from './upload-run.ts';

const REFUSALS: Readonly<Record<NonNullable<PlannedUpload['refusal']>, TextKey>> = {
  tooLarge: 'accountUpload.tooLarge',
  extension: 'accountUpload.extension',
  badName: 'accountUpload.badName',
  notJson: 'accountUpload.notJson',
  noAccounts: 'accountUpload.noAccounts',
  noType: 'accountUpload.noType',
  serviceAccount: 'accountUpload.serviceAccount',
  duplicate: 'accountUpload.duplicate',
};

const ENDINGS: Readonly<Record<UploadEnding['kind'], { readonly tone: StatusTone; readonly label: TextKey }>> = {
  queued: { tone: 'wait', label: 'accountUpload.queued' },
  sending: { tone: 'wait', label: 'accountUpload.sending' },
  done: { tone: 'ok', label: 'accountUpload.listed' },
  missing: { tone: 'warn', label: 'accountUpload.missing' },
  unknown: { tone: 'warn', label: 'accountUpload.unknown' },
  conflict: { tone: 'bad', label: 'accountUpload.conflict' },
  failed: { tone: 'bad', label: 'accountUpload.refused' },
};

/** One file to send: its name, whose account it is, what it replaces, and what became of it. Memoized: there may be hundreds. */
export const UploadLine = memo(function UploadLine({
  item,
  ending,
  running,
  onReplace,
  onRemove,
}: {
  readonly item: PlannedUpload;
  readonly ending: UploadEnding | undefined;
  readonly running: boolean;
  readonly onReplace: (key: string, replaces: boolean) => void;
  readonly onRemove: (key: string) => void;
}) {
  const { t } = useText();
  const masker = useMasker();
  const { key, name, type, account, content, members, refusal, replaces, fromSession } = item;
  const title = name === '' ? t('accountUpload.noName') : shown(masker.file(name));
  const settled = ending?.kind === 'done' || ending?.kind === 'missing';
  const about = [
    type,
    account === '' ? '' : masker.account(account),
    content === '' ? '' : formatBytes(content.length),
  ];
  return (
    <li>
      <Group gap="xs" wrap="nowrap">
        <span className="mono wrap">{title}</span>
        <span className="spacer" />
        {ending !== undefined && (
          <span role="status">
            <Status tone={ENDINGS[ending.kind].tone}>{t(ENDINGS[ending.kind].label)}</Status>
          </span>
        )}
        {!settled && (
          <Button
            kind="quiet"
            square
            disabled={running}
            aria-label={t('accountUpload.remove', { file: title })}
            onClick={() => onRemove(key)}
          >
            <Icon name="close" />
          </Button>
        )}
      </Group>
      <div className="small ink-2">
        {about
          .map((part) => shown(part))
          .filter(Boolean)
          .join(' · ')}
      </div>
      {refusal !== null && (
        <div className="small tone-bad">
          {t(REFUSALS[refusal])}{' '}
          {refusal === 'serviceAccount' && (
            <Link to={SIGN_IN_PATH} search={signInAgain('', 'vertex')} className="link">
              {t('accountUpload.openImport')}
            </Link>
          )}
        </div>
      )}
      {fromSession && <div className="small tone-warn">{t('accountUpload.session')}</div>}
      {refusal === null && members.length > 0 && !settled && (
        <label className="row tick small">
          <input
            type="checkbox"
            checked={replaces}
            disabled={running}
            onChange={(event) => onReplace(key, event.currentTarget.checked)}
          />
          <span>
            {t('accountUpload.replace', { accounts: members.map((one) => accountTitle(one, masker)).join(', ') })}
          </span>
        </label>
      )}
      {ending?.kind === 'missing' && <div className="small tone-warn">{t('accountUpload.missingText')}</div>}
      {ending?.kind === 'unknown' && <div className="small tone-warn">{t('accountUpload.unknownText')}</div>}
      {ending?.kind === 'failed' && <Failure error={ending.error} />}
    </li>
  );
});

function Failure({ error }: { readonly error: unknown }) {
  const { t } = useText();
  const masker = useMasker();
  const failure = failureText(error);
  const words =
    error instanceof ApiError && error.kind === 'status' && error.hop === null
      ? shown(masker.text(error.message), 200)
      : '';
  return (
    <div className="small tone-bad">
      {words === '' ? t(failure.key, failure.values) : `${t('providerSignIn.reports')} ${words}`}
    </div>
  );
}
