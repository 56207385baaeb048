import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Account } from '../../platform/accounts/account.ts';
import type { Masker } from '../../platform/format/mask.ts';
import { type Translate, useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { accountTitle, fileTitle } from '../../ui/accounts/account-text.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { Outcome } from './flow/sign-in-outcome.ts';
import type { Ending, Flow } from './flow/watch-sign-in.ts';
import { gatewayWords } from './sign-in-words.ts';

interface Said {
  readonly tone: 'ok' | 'warn' | 'bad';
  readonly fact: string;
  readonly text: string;
  readonly account?: Account;
}

/** What became of a sign-in, and what it replaced. */
export function EndingNote({
  flow,
  ending,
  onClose,
}: {
  readonly flow: Flow;
  readonly ending: Ending;
  readonly onClose: () => void;
}) {
  const { t } = useText();
  const masker = useMasker();
  const { tone, fact, text, account } = endingWords(flow, ending, t, masker);
  return (
    <Note
      tone={tone}
      fact={fact}
      action={
        <Group gap="md" wrap="nowrap">
          {account !== undefined && (
            <Link to="/accounts" search={{ account: [account.key] }} className="link">
              {t('providerSignIn.openAccount')}
            </Link>
          )}
          <Button onClick={onClose}>{t('common.close')}</Button>
        </Group>
      }
    >
      {text}
    </Note>
  );
}

function endingWords(flow: Flow, ending: Ending, t: Translate, masker: Masker): Said {
  switch (ending.kind) {
    case 'signedIn':
      return outcomeWords(flow, ending.outcome, t, masker);
    case 'failed':
      return { tone: 'bad', fact: t('providerSignIn.failed'), text: gatewayWords(ending.message, t, masker) };
    case 'expired':
      return { tone: 'warn', fact: t('providerSignIn.expired'), text: t('providerSignIn.expiredText') };
    case 'canceled':
      return {
        tone: 'warn',
        fact: t('providerSignIn.canceled'),
        text: t(ending.unsure ? 'providerSignIn.canceledUnsure' : 'providerSignIn.canceledText'),
      };
  }
}

function outcomeWords(flow: Flow, outcome: Outcome, t: Translate, masker: Masker): Said {
  switch (outcome.kind) {
    case 'added':
    case 'replaced': {
      const { account, instead, kind, beside } = outcome;
      const meant = flow.before.find(({ key }) => key === flow.expected);
      const values = { account: accountTitle(account, masker), file: fileTitle(account, masker) };
      const text = t(kind === 'added' ? 'providerSignIn.addedText' : 'providerSignIn.replacedText', values);
      const fact = t(kind === 'added' ? 'providerSignIn.added' : 'providerSignIn.replaced', values);
      if (beside !== null) {
        const earlier = t('providerSignIn.beside', { file: fileTitle(beside, masker) });
        return { tone: 'warn', fact, text: `${text} ${earlier}`, account };
      }
      if (!instead || meant === undefined) return { tone: 'ok', fact, text, account };
      const other = t('providerSignIn.instead', { account: accountTitle(meant, masker) });
      return { tone: 'warn', fact, text: `${other} ${text}`, account };
    }
    case 'several':
      return {
        tone: 'ok',
        fact: t('providerSignIn.several', { count: outcome.accounts.length }),
        text: outcome.accounts.map((account) => accountTitle(account, masker)).join(', '),
      };
    case 'unseen':
      return { tone: 'warn', fact: t('providerSignIn.accepted'), text: t('providerSignIn.unseenText') };
    case 'unread':
      return { tone: 'warn', fact: t('providerSignIn.accepted'), text: t('providerSignIn.unreadText') };
  }
}
