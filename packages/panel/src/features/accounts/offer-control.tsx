import { Link } from '@tanstack/react-router';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { SIGN_IN_PATH, signInAgain } from '../../platform/accounts/sign-in-again.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import type { MenuChoice } from './account-menu.tsx';
import type { Offer } from './model/offers.ts';

interface OfferProps {
  readonly offer: Offer;
  readonly row: AccountRow;
  readonly disabled?: boolean;
  readonly onChoose: (choice: MenuChoice, row: AccountRow) => void;
}

/** One solution for an account: a button, or a link. */
export function OfferControl({ offer, row, disabled = false, onChoose }: OfferProps) {
  const { t } = useText();
  switch (offer) {
    case 'signIn':
      return (
        <Link to={SIGN_IN_PATH} search={signInAgain(row.account.key, row.account.listed.provider)} className="link">
          {t('accountActions.reauth')}
        </Link>
      );
    case 'failures':
      return (
        <Link
          to="/monitoring"
          search={{ range: ['7d'], status: ['failed'], auth_index: [row.account.listed.authIndex] }}
          className="link"
        >
          {t('accounts.openFailures')}
        </Link>
      );
    case 'queue':
      return (
        <Link
          to="/accounts/actions"
          search={row.candidates[0] === undefined ? {} : { candidate: [String(row.candidates[0].id)] }}
          className="link"
        >
          {t('nav.accountActions')}
        </Link>
      );
    default: {
      const label = {
        refresh: t('accounts.refreshQuota'),
        quota: t('accountTab.quota'),
        config: t('accountTab.config'),
        resetLimits: t('accounts.resetLimits'),
        switch: t(row.account.listed.disabled ? 'accounts.enable' : 'accounts.disable'),
      };
      return (
        <Button disabled={disabled} onClick={() => onChoose(offer, row)}>
          {label[offer]}
        </Button>
      );
    }
  }
}
