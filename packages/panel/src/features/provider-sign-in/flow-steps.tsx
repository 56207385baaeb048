import { Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { useNow } from '../../platform/browser/clock.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { accountTitle } from '../../ui/accounts/account-text.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton, useCopied } from '../../ui/controls/copy.tsx';
import { Status } from '../../ui/display/status.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type Redirect, readRedirect } from './flow/redirect.ts';
import { sendRedirect } from './flow/sign-in-calls.ts';
import type { Flow } from './flow/watch-sign-in.ts';
import { QrCode } from './qr-code.tsx';
import { countdown, failureWords } from './sign-in-words.ts';

interface FlowStepsProps {
  readonly flow: Flow;
  readonly trouble: unknown;
  readonly onCancel: () => void;
}

/** What to do at the provider, and how long there is time for it. */
export function FlowSteps({ flow, trouble, onCancel }: FlowStepsProps) {
  const { t } = useText();
  const masker = useMasker();
  const { url, device } = flow;
  const again = flow.before.find(({ key }) => key === flow.expected);
  const [copied, copy] = useCopied();
  const failure = failureText(trouble);
  return (
    <Stack gap="sm">
      {again !== undefined && <p>{t('providerSignIn.sameAccount', { account: accountTitle(again, masker) })}</p>}
      <Stack component="ol" gap="md" pl={20} style={{ listStyle: 'decimal' }}>
        <li>
          <p>{t(device === null ? 'providerSignIn.openPage' : 'providerSignIn.openDevice')}</p>
          <Group gap="xs" mt="xs">
            <a className="button primary" href={url} target="_blank" rel="noopener noreferrer">
              {t('providerSignIn.open')}
            </a>
            <Button onClick={() => copy(url)}>
              <Icon name={copied ? 'check' : 'copy'} />
              {t(copied ? 'common.copied' : 'providerSignIn.copyLink')}
            </Button>
          </Group>
        </li>
        {device === null ? (
          <li>
            <RedirectForm flow={flow} />
          </li>
        ) : (
          <DeviceCode url={url} code={device.userCode} />
        )}
      </Stack>
      <Group gap="xs" className="row">
        <Waiting flow={flow}>
          {trouble === null ? (
            <Status tone="wait">{t('providerSignIn.waiting')}</Status>
          ) : (
            <Status tone="warn">
              {t('providerSignIn.trouble')} {t(failure.key, failure.values)}
            </Status>
          )}
        </Waiting>
        <span className="spacer" />
        <Button onClick={onCancel}>{t('providerSignIn.cancel')}</Button>
      </Group>
    </Stack>
  );
}

function Waiting({ flow, children }: { readonly flow: Flow; readonly children: ReactNode }) {
  const { t } = useText();
  // The clock of the page is up to a second late.
  const left = countdown(Math.min(flow.lastsMs, flow.endsAtMs - useNow()));
  return (
    <>
      <span role="status">{children}</span>
      {/* Not announced: it changes every second. */}
      <span className="small ink-3" role="timer">
        {t('providerSignIn.timeLeft', { time: left })}
      </span>
    </>
  );
}

function DeviceCode({ url, code }: { readonly url: string; readonly code: string }) {
  const { t } = useText();
  return (
    <li>
      <p>{t(code === '' ? 'providerSignIn.confirmDevice' : 'providerSignIn.enterCode')}</p>
      <Group mt="xs" gap="lg">
        {code !== '' && (
          <Group gap="xs" wrap="nowrap">
            <b className="mono" style={{ fontSize: 22, letterSpacing: 1 }}>
              {shown(code, 40)}
            </b>
            <CopyButton text={code} label={t('providerSignIn.code')} />
          </Group>
        )}
        <QrCode text={url} label={t('providerSignIn.qrCode')} />
      </Group>
    </li>
  );
}

const PROBLEMS = {
  empty: 'providerSignIn.redirectEmpty',
  invalid: 'providerSignIn.redirectInvalid',
  other: 'providerSignIn.redirectOther',
  incomplete: 'providerSignIn.redirectIncomplete',
} as const satisfies Record<Exclude<Redirect['kind'], 'address'>, string>;

/** For a browser on another machine than the gateway: the provider's redirect does not reach the gateway. */
function RedirectForm({ flow }: { readonly flow: Flow }) {
  const { t } = useText();
  const masker = useMasker();
  const { client } = useServices();
  const [typed, setTyped] = useState('');
  const [told, setTold] = useState(false);
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle');
  const [error, setError] = useState<unknown>(null);
  const redirect = readRedirect(typed, flow.provider, flow.state);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTold(true);
    if (redirect.kind !== 'address' || state === 'sending') return;
    setState('sending');
    setError(null);
    try {
      await sendRedirect(client, flow.provider, redirect.text);
      setState('sent');
      // It holds the provider's code.
      setTyped('');
      setTold(false);
    } catch (failure) {
      setState('idle');
      setError(failure);
    }
  };
  const isTold = redirect.kind !== 'address' && (told || (typed !== '' && redirect.kind !== 'empty'));
  const problem = error !== null ? failureWords(error, t, masker) : isTold ? t(PROBLEMS[redirect.kind]) : null;
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextInput
        size="md"
        label={t('providerSignIn.redirect')}
        description={t(flow.provider.listens ? 'providerSignIn.redirectText' : 'providerSignIn.redirectPluginText')}
        error={problem !== null && <span role="alert">{problem}</span>}
        classNames={{ input: 'mono' }}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        disabled={state === 'sending'}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setState('idle');
          setError(null);
        }}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" disabled={state === 'sending'} aria-busy={state === 'sending'}>
          {t('providerSignIn.finish')}
        </Button>
        {state === 'sent' && <Status tone="wait">{t('providerSignIn.sent')}</Status>}
      </Group>
    </form>
  );
}
