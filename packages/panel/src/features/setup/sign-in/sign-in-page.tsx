import { TextInput } from '@mantine/core';
import { Navigate, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../platform/api/errors.ts';
import { useServices } from '../../../platform/api/services.ts';
import { areRequestsLimited } from '../../../platform/browser/request-targets.ts';
import { gatewayUrl } from '../../../platform/format/gateway-url.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useHost } from '../../../platform/queries/queries.ts';
import { type RememberDays, useSession } from '../../../platform/session/session.ts';
import { useStore } from '../../../platform/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { KeyField } from '../../../ui/controls/key-field.tsx';
import { RememberField } from '../../../ui/controls/remember-field.tsx';
import { Marked } from '../../../ui/display/marked.tsx';
import { Shape } from '../../../ui/display/status.tsx';
import { PlainPage } from '../../../ui/page/plain-page.tsx';
import { checkGatewayKey, checkKey, explainRefusal } from './sign-in.ts';

/** A local address of this panel; anything else could lead to another site. */
function returnTarget(value: string | undefined): string {
  return value?.startsWith('/') && !value.startsWith('//') && !value.startsWith('/login') ? value : '/';
}

export function SignInPage() {
  const { t } = useText();
  const { client, manager, session, setupNeeded } = useServices();
  const host = useHost();
  const router = useRouter();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const target = returnTarget(search.return?.[0]);
  const locked = useStore(session.locked);
  const present = useSession(session);
  const signedIn = present !== null && !locked;
  const input = useRef<HTMLInputElement>(null);
  const [key, setKey] = useState('');
  const [address, setAddress] = useState(() => (present?.base ?? client.page).replace(/\/$/, ''));
  const [remember, setRemember] = useState<RememberDays | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly key: string } | null>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    // Another address can be chosen again only on a new page.
    if (session.store.get() === null && areRequestsLimited()) window.location.reload();
  }, [session]);

  const mode = host.data?.kind ?? 'manager';
  const atGateway = mode === 'gateway';
  const info = host.data?.kind === 'manager' ? host.data.info : undefined;
  const needsSetup =
    info !== undefined && (info.setupRequired || (info.projectInitialized ?? info.configured) !== true);
  // While the answer to this form is pending, the form decides where to go.
  const [arriving, setArriving] = useState(false);
  if (needsSetup && !signedIn) return <Navigate to="/setup" search={{}} replace />;
  if (signedIn && !arriving) return <Arrive to={target} />;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const trimmed = key.trim();
    if (busy || trimmed === '') {
      input.current?.focus();
      return;
    }
    setBusy(true);
    setFailure(null);
    const base = atGateway ? `${gatewayUrl(address)}/` : client.page;
    const result = atGateway ? await checkGatewayKey(manager, trimmed, base) : await checkKey(manager, trimmed);
    setBusy(false);
    if (result.kind === 'failed') {
      setFailure({ error: result.error, key: trimmed });
      input.current?.focus();
      return;
    }
    setArriving(true);
    session.signIn({ key: trimmed, base, mode }, remember);
    // The page that was open stays under the lock.
    if (locked) return;
    if (result.kind === 'ok') router.history.replace(target);
    else if (result.kind === 'setup') setupNeeded.set(true);
    else void navigate({ to: '/settings', search: { tab: ['connection'], upstream: ['failed'] }, replace: true });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setFailure(null);
  };
  const explanation = failure === null ? null : explainRefusal(failure.error, failure.key, mode);
  const backend = failure?.error instanceof ApiError && failure.error.kind === 'status' ? failure.error.message : '';

  return (
    <PlainPage title={t('signIn.title')}>
      <form
        className="card"
        style={{ width: 440, padding: '24px 32px', maxWidth: '100%', alignSelf: 'flex-start' }}
        onSubmit={submit}
        onKeyDown={onKey}
      >
        <h1 style={{ fontSize: 20, lineHeight: '28px' }}>{t('signIn.title')}</h1>
        <p className="ink-2" style={{ margin: '4px 0 20px' }}>
          <Marked text={t(locked ? 'signIn.locked' : atGateway ? 'signIn.gatewayModeLine' : 'signIn.modeLine')} />
        </p>
        {atGateway ? (
          <TextInput
            size="md"
            mb="lg"
            label={t('signIn.address')}
            classNames={{ input: 'mono' }}
            type="text"
            inputMode="url"
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="url"
            value={address}
            readOnly={locked}
            onChange={(event) => setAddress(event.currentTarget.value)}
            onBlur={() => setAddress(gatewayUrl(address))}
          />
        ) : (
          <dl className="definitions" style={{ gridTemplateColumns: '88px minmax(0,1fr)', marginBottom: 16 }}>
            <dt>{t('signIn.address')}</dt>
            <dd>
              <span className="value mono">{window.location.host}</span>
            </dd>
          </dl>
        )}
        {/* Names the account for password managers. */}
        <input type="text" name="username" autoComplete="username" value="admin" readOnly hidden />
        <KeyField
          ref={input}
          label={t(atGateway ? 'setup.managementKey' : 'signIn.key')}
          value={key}
          onChange={setKey}
          autoComplete="current-password"
          error={failure !== null}
          description={!atGateway && <Marked text={t('signIn.keyHint')} />}
        />
        <div role="alert">
          {explanation !== null && (
            <div className="note" data-tone="bad" style={{ marginTop: 12 }}>
              <Shape tone="bad" />
              <span className="wrap">
                <Marked text={t(explanation.key, explanation.values)} />
                {backend !== '' && <span className="small ink-3"> {t('signIn.answer', { text: backend })}</span>}
              </span>
            </div>
          )}
        </div>
        <div style={{ margin: '16px 0' }}>
          <RememberField days={remember} onChange={setRemember} />
        </div>
        <Button kind="primary" large type="submit" disabled={busy} aria-busy={busy} style={{ width: '100%' }}>
          {busy ? t('signIn.checking') : t('signIn.submit')}
        </Button>
        {info !== undefined && (
          <div className="small ink-3" style={{ marginTop: 16 }}>
            {t('shell.managerVersion', { version: info.version })}
          </div>
        )}
      </form>
    </PlainPage>
  );
}

/** Opens an address with its query, as it was before the sign-in. */
function Arrive({ to }: { readonly to: string }) {
  const router = useRouter();
  useEffect(() => router.history.replace(to), [router, to]);
  return null;
}
