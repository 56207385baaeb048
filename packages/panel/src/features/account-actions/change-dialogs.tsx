import type { CandidateCommand } from '@manager/core/accounts/failures/states';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import { shown } from '../../platform/format/shown.ts';
import { dateAndTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { reasonText } from '../../platform/wording/reason-codes.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { accountOf } from './candidate-view.ts';

/** The change to confirm. */
export interface Asked {
  readonly command: Extract<CandidateCommand, 'enable' | 'delete'>;
  readonly candidate: AccountActionCandidate;
}

interface ChangeDialogsProps {
  readonly asked: Asked | null;
  readonly onConfirm: (asked: Asked) => void | Promise<void>;
  readonly onClose: () => void;
}

/** Confirms a change at the gateway. */
export function ChangeDialogs({ asked, onConfirm, onClose }: ChangeDialogsProps) {
  const { t } = useText();
  const confirm = () => (asked === null ? undefined : onConfirm(asked));
  return (
    <>
      <ConfirmDialog
        opened={asked?.command === 'enable'}
        onClose={onClose}
        title={t('accountActions.enableTitle')}
        confirmLabel={t('accountActions.enable')}
        onConfirm={confirm}
      >
        {asked !== null && <EnableText candidate={asked.candidate} />}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked?.command === 'delete'}
        onClose={onClose}
        title={t('accountActions.deleteTitle')}
        confirmLabel={t('accountActions.delete')}
        onConfirm={confirm}
        danger
        typedWord="DELETE"
      >
        {asked !== null && <DeleteText candidate={asked.candidate} />}
      </ConfirmDialog>
    </>
  );
}

function Whose({ candidate }: { readonly candidate: AccountActionCandidate }) {
  const { t } = useText();
  const masker = useMasker();
  const account = accountOf(candidate);
  return (
    <dl className="definitions" style={{ marginBottom: 12 }}>
      <dt>{t('filter.file')}</dt>
      <dd>
        <span className="value mono">{shown(masker.file(candidate.authFileName))}</span>
      </dd>
      {account !== '' && (
        <>
          <dt>{t('filter.account')}</dt>
          <dd>
            <span className="value">{shown(masker.account(account))}</span>
          </dd>
        </>
      )}
    </dl>
  );
}

function EnableText({ candidate }: { readonly candidate: AccountActionCandidate }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const masker = useMasker();
  const { autoDisabledAtMs, reason, reasonCode } = candidate;
  return (
    <>
      <Whose candidate={candidate} />
      <p>
        {autoDisabledAtMs === undefined
          ? t('accountActions.enableOpen')
          : t('accountActions.enableDisabled', { time: dateAndTime(autoDisabledAtMs, zone, locale, true) })}{' '}
        {t('accountActions.enableReason', { reason: reasonText(reasonCode, reason, t, masker) })}
      </p>
      <p>{t('accountActions.enableText')}</p>
    </>
  );
}

function DeleteText({ candidate }: { readonly candidate: AccountActionCandidate }) {
  const { t } = useText();
  return (
    <>
      <Whose candidate={candidate} />
      <p>{t('accountActions.deleteText')}</p>
      <p>{t('accountActions.deleteScope')}</p>
    </>
  );
}
