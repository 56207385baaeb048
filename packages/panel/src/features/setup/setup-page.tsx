import { Box, Group, Stack } from '@mantine/core';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../platform/api/errors.ts';
import { useServices } from '../../platform/api/services.ts';
import { readStored, removeStored, writeStored } from '../../platform/browser/storage.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { START_PATH } from '../../platform/preferences/preferences.ts';
import { useHost } from '../../platform/queries/queries.ts';
import type { RememberDays } from '../../platform/session/session.ts';
import { answerBeside, triesLeft, waitMinutes } from '../../platform/wording/connection-failure.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Marked } from '../../ui/display/marked.tsx';
import { Shape } from '../../ui/display/status.tsx';
import { UnsupportedState } from '../../ui/feedback/states.tsx';
import { PlainPage } from '../../ui/page/plain-page.tsx';
import {
  restoreSetup,
  type SetupFailure,
  type SetupForm,
  type Step,
  setupFailure,
  stepProblem,
  stepsOf,
  stepWarning,
  toRequest,
  withoutKeys,
} from './setup-form.ts';
import { StepFields } from './setup-steps.tsx';

const LABELS = {
  adminKey: 'setup.stepAdminKey',
  upstream: 'setup.stepUpstream',
  managementKey: 'setup.stepManagementKey',
  collection: 'setup.stepCollection',
  poll: 'setup.stepPoll',
  review: 'setup.stepReview',
} as const satisfies Record<Step, TextKey>;

export function SetupPage() {
  const { t } = useText();
  const host = useHost();
  const { setupNeeded } = useServices();
  const [finishing, setFinishing] = useState(false);
  const info = host.data?.kind === 'manager' ? host.data.info : undefined;
  // A gateway alone needs no setup.
  if (host.data?.kind === 'gateway') return <Navigate to="/login" search={{}} replace />;
  if (info === undefined) return null;
  const done = (info.projectInitialized ?? info.configured) === true && !setupNeeded.get();
  if (done && !finishing) {
    return (
      <PlainPage title={t('setup.title')}>
        <div className="card" style={{ width: 560, maxWidth: '100%', alignSelf: 'flex-start' }}>
          <UnsupportedState
            title={t('setup.doneTitle')}
            text={t('setup.doneText')}
            action={
              <Link to="/login" search={{}} className="link">
                {t('signIn.submit')}
              </Link>
            }
          />
        </div>
      </PlainPage>
    );
  }
  return (
    <PlainPage title={t('setup.title')}>
      <Wizard
        version={info.version}
        database={
          !info.hasHistoricalData
            ? 'setup.databaseEmpty'
            : info.dataKeyReady
              ? 'setup.databaseFilled'
              : 'setup.databaseNoKey'
        }
        keyLost={info.hasHistoricalData && !info.dataKeyReady}
        onFinishing={setFinishing}
      />
    </PlainPage>
  );
}

interface WizardProps {
  readonly version: string;
  readonly database: TextKey;
  /** There are events, but the saved key can no longer be read. */
  readonly keyLost: boolean;
  readonly onFinishing: (finishing: boolean) => void;
}

function Wizard({ version, database, keyLost, onFinishing }: WizardProps) {
  const { t } = useText();
  const { client, manager, session, queries, setupNeeded } = useServices();
  const navigate = useNavigate();
  const [form, setForm] = useState<SetupForm>(() => restoreSetup(readStored('tab', 'ui')));
  const [step, setStep] = useState<Step>('adminKey');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [remember, setRemember] = useState<RememberDays | null>(null);
  const [failure, setFailure] = useState<(SetupFailure & { readonly error: unknown }) | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const steps = stepsOf(form);
  const index = steps.indexOf(step);
  const problem = stepProblem(step, form);
  const warning = stepWarning(step, form, window.location.origin);

  useEffect(() => writeStored('tab', 'ui', withoutKeys(form)), [form]);
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);

  const open = (next: Step | undefined) => {
    if (next === undefined || busy) return;
    setStep(next);
    setTried(false);
    heading.current?.focus();
  };

  const submit = async () => {
    setBusy(true);
    setFailure(null);
    onFinishing(true);
    try {
      const adminKey = form.adminKey.trim();
      await manager.setup(toRequest(form), adminKey);
      removeStored('tab', 'ui');
      setupNeeded.set(false);
      session.signIn({ key: adminKey, base: client.page, mode: 'manager' }, remember);
      await queries.invalidateQueries({ queryKey: ['host'] });
      await navigate({ to: START_PATH, search: {}, replace: true });
    } catch (error) {
      const next = setupFailure(error);
      setFailure({ ...next, error });
      setBusy(false);
      onFinishing(false);
      if (next.step !== null) {
        setStep(next.step);
        heading.current?.focus();
      }
    }
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setTried(true);
    if (problem !== null) return;
    if (step !== 'review') {
      if (failure?.step === step) setFailure(null);
      open(steps[index + 1]);
      return;
    }
    const missing = steps.find((candidate) => stepProblem(candidate, form) !== null);
    if (missing !== undefined) {
      open(missing);
      setTried(true);
      return;
    }
    void submit();
  };

  if (failure !== null && failure.step === null) {
    return (
      <div className="card" style={{ width: 560, maxWidth: '100%', alignSelf: 'flex-start' }}>
        <UnsupportedState
          title={t('setup.envTitle')}
          text={t(failure.text)}
          action={
            <Link to="/login" search={{}} className="link">
              {t('signIn.submit')}
            </Link>
          }
        />
      </div>
    );
  }

  const shown = failure !== null && (failure.step === step || step === 'review') ? failure : null;
  const refusal = shown?.error instanceof ApiError && shown.error.kind === 'status' ? shown.error : null;
  const tries = refusal === null ? null : triesLeft(refusal);
  const answer = shown === null || refusal === null ? '' : answerBeside(shown.text, refusal);
  return (
    <form className="card setup" onSubmit={onSubmit} aria-busy={busy} noValidate>
      <div className="setup-steps">
        <div className="bold">{t('setup.title')}</div>
        <ol>
          {steps.map((name, position) => {
            const passed = position < index && stepProblem(name, form) === null;
            return (
              <li key={name}>
                <button
                  type="button"
                  className="setup-step"
                  aria-current={name === step ? 'step' : undefined}
                  disabled={busy || position > index}
                  onClick={() => open(name)}
                >
                  {passed ? <Shape tone="ok" /> : <span className="number">{position + 1}</span>}
                  {t(LABELS[name])}
                </button>
              </li>
            );
          })}
        </ol>
        <Box mt="auto" p="md" visibleFrom="sm" className="small ink-3">
          {t('shell.managerVersion', { version })}
          <br />
          {t(database)}
        </Box>
      </div>
      <Stack gap={0} miw={0}>
        <Stack gap="xl" p={{ base: 'lg', sm: '24px 32px' }}>
          <div>
            <div className="small ink-3">{t('setup.stepOf', { step: index + 1, steps: steps.length })}</div>
            <h1 ref={heading} tabIndex={-1} style={{ fontSize: 20, lineHeight: '28px' }}>
              {t(TITLES[step])}
            </h1>
            <p className="ink-2" style={{ marginTop: 4 }}>
              <Marked text={t(INTRODUCTIONS[step])} />
            </p>
          </div>
          {keyLost && (
            <div className="note" data-tone="warn">
              <Shape tone="warn" />
              <span className="wrap">
                <Marked text={t('setup.keyLost')} />
              </span>
            </div>
          )}
          <StepFields
            step={step}
            form={form}
            onChange={(change) => setForm({ ...form, ...change })}
            problem={tried && problem !== null ? t(problem) : null}
            remember={remember}
            onRemember={setRemember}
          />
          {warning !== null && (
            <div className="note" data-tone="warn">
              <Shape tone="warn" />
              <span className="wrap">{t(warning)}</span>
            </div>
          )}
          <div role="alert">
            {shown !== null && (
              <div className="note" data-tone="bad">
                <Shape tone="bad" />
                <span className="wrap">
                  <Marked text={t(shown.text, { minutes: refusal === null ? 0 : waitMinutes(refusal) })} />
                  {tries !== null && ` ${t('setup.triesLeft', { tries })}`}
                  {answer !== '' && <span className="small ink-3"> {t('signIn.answer', { text: answer })}</span>}
                </span>
                {shown.text === 'setup.failStatistics' && (
                  <Button
                    onClick={() => {
                      setForm({ ...form, statistics: false });
                      setFailure(null);
                      open('review');
                    }}
                  >
                    {t('setup.goWithout')}
                  </Button>
                )}
              </div>
            )}
          </div>
        </Stack>
        <Group mt="auto" p={{ base: '12px 16px', sm: '12px 32px' }} className="panel-line">
          <Button
            kind="quiet"
            large
            disabled={index === 0 || busy}
            onClick={() => open(steps[index - 1])}
            style={{ marginLeft: -14 }}
          >
            {t('common.back')}
          </Button>
          <span className="spacer" />
          <span className="small ink-3 only-wide">{busy ? t('setup.saving') : t('setup.nothingSaved')}</span>
          <Button kind="primary" large type="submit" disabled={busy} aria-busy={busy}>
            {step === 'review' ? t('setup.finish') : t('common.continue')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const TITLES = {
  adminKey: 'setup.titleAdminKey',
  upstream: 'setup.titleUpstream',
  managementKey: 'setup.titleManagementKey',
  collection: 'setup.titleCollection',
  poll: 'setup.titlePoll',
  review: 'setup.titleReview',
} as const satisfies Record<Step, TextKey>;

const INTRODUCTIONS = {
  adminKey: 'setup.introAdminKey',
  upstream: 'setup.introUpstream',
  managementKey: 'setup.introManagementKey',
  collection: 'setup.introCollection',
  poll: 'setup.introPoll',
  review: 'setup.introReview',
} as const satisfies Record<Step, TextKey>;
