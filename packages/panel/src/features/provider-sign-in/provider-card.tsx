import { Group, Stack } from '@mantine/core';
import type { Account } from '../../platform/accounts/account.ts';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { UnsupportedState } from '../../ui/feedback/states.tsx';
import { EndingNote } from './ending-note.tsx';
import { useSignIn } from './flow/use-sign-in.ts';
import { FlowSteps } from './flow-steps.tsx';
import type { SignInProvider } from './providers.ts';
import { failureWords } from './sign-in-words.ts';

/** The sign-in at one provider. */
export function ProviderCard({
  provider,
  count,
  again,
}: {
  readonly provider: SignInProvider;
  /** Its accounts in the list; undefined = not known. */
  readonly count: number | undefined;
  /** The account to sign in again. */
  readonly again: Account | null;
}) {
  const { t } = useText();
  const masker = useMasker();
  const { state, start, cancel, dismiss } = useSignIn(provider);
  const { name } = provider;
  const { kind } = state;
  const busy = kind === 'starting';
  const begin = () => void start(again?.key ?? '');
  const label =
    kind === 'idle' || kind === 'starting'
      ? 'providerSignIn.start'
      : kind === 'ended' && state.ending.kind === 'signedIn'
        ? 'providerSignIn.another'
        : 'providerSignIn.restart';
  const missing = kind === 'refused' && isUnsupported(state.error);
  return (
    <section className="panel" aria-label={name}>
      <Group gap="4px 12px" mih={44} py={4} className="panel-head">
        <h2>{name}</h2>
        {count !== undefined && <span className="small ink-3">{t('providerSignIn.accounts', { count })}</span>}
        <span className="spacer" />
        {!missing && (
          <Button
            kind={again !== null && kind === 'idle' ? 'primary' : 'default'}
            disabled={busy}
            aria-busy={busy}
            aria-label={t('providerSignIn.labelAt', { label: t(label), name })}
            onClick={begin}
          >
            {t(label)}
          </Button>
        )}
      </Group>
      {kind !== 'idle' && kind !== 'starting' && (
        <Stack className="panel-body">
          {kind === 'waiting' && (
            <FlowSteps
              key={state.flow.state}
              flow={state.flow}
              trouble={state.trouble}
              onCancel={() => void cancel()}
            />
          )}
          {kind === 'ended' && <EndingNote flow={state.flow} ending={state.ending} onClose={dismiss} />}
          {missing && (
            <UnsupportedState
              title={t('providerSignIn.unsupported', { name })}
              text={t('providerSignIn.unsupportedText')}
            />
          )}
          {kind === 'refused' && !missing && (
            <Note
              tone="bad"
              fact={t('providerSignIn.notStarted')}
              action={
                <Group gap="xs">
                  <Button onClick={begin}>{t('common.tryAgain')}</Button>
                  <Button onClick={dismiss}>{t('common.close')}</Button>
                </Group>
              }
            >
              {failureWords(state.error, t, masker)}
            </Note>
          )}
        </Stack>
      )}
    </section>
  );
}
