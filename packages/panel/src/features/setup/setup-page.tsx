import type { SetupRequest } from '@manager/core/contract/setup';
import { Box, Group, Stack } from '@mantine/core';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { readStored, removeStored, writeStored } from '../../platform/browser/storage.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { START_PATH } from '../../platform/preferences/preferences.ts';
import { useHost } from '../../platform/queries/queries.ts';
import type { RememberDays } from '../../platform/session/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Marked } from '../../ui/display/marked.tsx';
import { Shape } from '../../ui/display/status.tsx';
import { UnsupportedState } from '../../ui/feedback/states.tsx';
import { PlainPage } from '../../ui/page/plain-page.tsx';
import { checkMark, checkRequest, isChecked, type PassedChecks } from './checks.ts';
import { FailureNote, type ShownFailure } from './failure-note.tsx';
import {
  restoreSetup,
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
import { useCorrection } from './use-correction.ts';

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
        hasHistory={info.hasHistoricalData}
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
  readonly hasHistory: boolean;
  readonly onFinishing: (finishing: boolean) => void;
}

function Wizard({ version, database, keyLost, hasHistory, onFinishing }: WizardProps) {
  const { t } = useText();
  const { client, manager, session, queries, setupNeeded } = useServices();
  const navigate = useNavigate();
  const [form, setForm] = useState<SetupForm>(() => restoreSetup(readStored('tab', 'ui')));
  const [step, setStep] = useState<Step>('adminKey');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState<'checking' | 'saving' | null>(null);
  const [passed, setPassed] = useState<PassedChecks>({});
  /** How long the gateway keeps events, once it told. */
  const [retentionMs, setRetentionMs] = useState<number>();
  const [remember, setRemember] = useState<RememberDays | null>(null);
  const [failure, setFailure] = useState<ShownFailure | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { formRef, askCorrection } = useCorrection();

  const steps = stepsOf(form);
  const index = steps.indexOf(step);
  const problemOf = (name: Step) => stepProblem(name, form, retentionMs);
  const problem = problemOf(step);
  const warning = stepWarning(step, form, window.location.origin);

  useEffect(() => writeStored('tab', 'ui', withoutKeys(form)), [form]);
  useEffect(() => {
    if (busy === null) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);

  const open = (next: Step | undefined) => {
    if (next === undefined || busy !== null) return;
    setStep(next);
    setTried(false);
    heading.current?.focus();
  };

  const fail = (error: unknown) => {
    const next = setupFailure(error, step);
    setFailure({ ...next, error });
    setBusy(null);
    if (next.step === null) return;
    askCorrection();
    if (next.step === step) return;
    setStep(next.step);
    heading.current?.focus();
  };

  const check = async (request: SetupRequest) => {
    setBusy('checking');
    setFailure(null);
    try {
      const { cpaUsage } = await manager.checkSetup(request, form.adminKey.trim());
      if (cpaUsage !== undefined) setRetentionMs(cpaUsage.redisUsageQueueRetentionSeconds * 1000);
    } catch (error) {
      fail(error);
      return;
    }
    setPassed({ ...passed, [step]: checkMark(step, form) });
    setBusy(null);
    setStep(steps[index + 1] ?? step);
    setTried(false);
    heading.current?.focus();
  };

  const submit = async () => {
    setBusy('saving');
    setFailure(null);
    onFinishing(true);
    try {
      const adminKey = form.adminKey.trim();
      await manager.setup(toRequest(form), adminKey);
      removeStored('tab', 'ui');
      setupNeeded.set(false);
      session.signIn({ key: adminKey, base: client.page, mode: 'manager' }, remember);
      await queries.invalidateQueries({ queryKey: ['host'] });
      const waits = form.monitoring && !hasHistory;
      await navigate({ to: waits ? '/first-request' : START_PATH, search: {}, replace: true });
    } catch (error) {
      onFinishing(false);
      fail(error);
    }
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy !== null) return;
    setTried(true);
    if (problem !== null) {
      setFailure(null);
      askCorrection();
      return;
    }
    const request = checkRequest(step, form);
    if (request !== null && !isChecked(step, form, passed)) {
      void check(request);
      return;
    }
    if (step !== 'review') {
      if (failure?.step === step) setFailure(null);
      open(steps[index + 1]);
      return;
    }
    const missing = steps.find((candidate) => problemOf(candidate) !== null);
    if (missing !== undefined) {
      open(missing);
      setTried(true);
      askCorrection();
      return;
    }
    void submit();
  };
  /** The title has the focus in a step without a field of text. */
  const onKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || event.target !== heading.current) return;
    // The next step may take the focus at once; the same press would send it too.
    event.preventDefault();
    event.currentTarget.requestSubmit();
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
  return (
    <form
      ref={formRef}
      className="card setup"
      onSubmit={onSubmit}
      onKeyDown={onKey}
      aria-busy={busy !== null}
      noValidate
    >
      <div className="setup-steps">
        <div className="bold">{t('setup.title')}</div>
        <ol>
          {steps.map((name, position) => {
            const isPassed = position < index && problemOf(name) === null && isChecked(name, form, passed);
            return (
              <li key={name}>
                <button
                  type="button"
                  className="setup-step"
                  aria-current={name === step ? 'step' : undefined}
                  disabled={busy !== null || position > index}
                  onClick={() => open(name)}
                >
                  {isPassed ? <Shape tone="ok" /> : <span className="number">{position + 1}</span>}
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
            retentionMs={retentionMs}
            problem={tried ? problem : null}
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
              <FailureNote
                failure={shown}
                onWithout={() => {
                  setForm({ ...form, statistics: false });
                  setFailure(null);
                  open('review');
                }}
              />
            )}
          </div>
        </Stack>
        <Group mt="auto" p={{ base: '12px 16px', sm: '12px 32px' }} className="panel-line">
          <Button
            kind="quiet"
            large
            disabled={index === 0 || busy !== null}
            onClick={() => open(steps[index - 1])}
            style={{ marginLeft: -14 }}
          >
            {t('common.back')}
          </Button>
          <span className="spacer" />
          <span className="small ink-3 only-wide">
            {t(busy === null ? 'setup.nothingSaved' : busy === 'checking' ? 'setup.checking' : 'setup.saving')}
          </span>
          {/* Not disabled while it checks: it would lose the focus, and Enter its target. */}
          <Button kind="primary" large type="submit" aria-busy={busy !== null}>
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
