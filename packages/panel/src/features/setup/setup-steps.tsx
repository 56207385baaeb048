import { Box, Switch, TextInput } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { formatCount } from '../../platform/format/format.ts';
import { gatewayUrl } from '../../platform/format/gateway-url.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import type { RememberDays } from '../../platform/session/session.ts';
import { pollRange } from '../../ui/collector/collector-defaults.ts';
import { CollectorFields } from '../../ui/collector/collector-fields.tsx';
import { KeyField } from '../../ui/controls/key-field.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { RememberField } from '../../ui/controls/remember-field.tsx';
import { Marked } from '../../ui/display/marked.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type SetupForm, type Step, URL_CHOICES } from './setup-form.ts';

interface StepProps {
  readonly step: Step;
  readonly form: SetupForm;
  readonly onChange: (change: Partial<SetupForm>) => void;
  /** How long the gateway keeps events, ms; undefined = not known yet. */
  readonly retentionMs: number | undefined;
  /** Why the step cannot be left; null = it was not tried yet, or it can. */
  readonly problem: TextKey | null;
  readonly remember: RememberDays | null;
  readonly onRemember: (remember: RememberDays | null) => void;
}

export function StepFields(props: StepProps) {
  switch (props.step) {
    case 'adminKey':
      return <KeyStep key="admin" {...props} />;
    case 'upstream':
      return <GatewayStep {...props} />;
    case 'managementKey':
      return <KeyStep key="management" {...props} management />;
    case 'collection':
      return <CollectionStep {...props} />;
    case 'poll':
      return <PollStep {...props} />;
    case 'review':
      return <ReviewStep {...props} />;
  }
}

/** Focuses the field of a newly opened step. What it proposes is selected: typing replaces it. */
function useFirstFocus(id: string): void {
  useEffect(() => {
    const field = document.getElementById(id);
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [id]);
}

function KeyStep({ form, onChange, problem, management = false }: StepProps & { readonly management?: boolean }) {
  const { t } = useText();
  const id = useId();
  useFirstFocus(id);
  return (
    <KeyField
      id={id}
      label={management ? t('setup.managementKey') : t('signIn.key')}
      value={management ? form.managementKey : form.adminKey}
      onChange={(value) => onChange(management ? { managementKey: value } : { adminKey: value })}
      autoComplete="off"
      description={
        problem === null && <Marked text={t(management ? 'setup.managementKeyHint' : 'setup.adminKeyHint')} />
      }
      error={problem !== null && <Marked text={t(problem)} />}
    />
  );
}

function GatewayStep({ form, onChange, problem }: StepProps) {
  const { t } = useText();
  const numbersWrong = problem === 'common.numberWrong';
  const urlProblem = numbersWrong ? null : problem;
  const id = useId();
  useFirstFocus(id);
  return (
    <>
      <TextInput
        size="md"
        id={id}
        label={t('setup.url')}
        description={urlProblem === null && t('setup.urlHint')}
        error={urlProblem !== null && <Marked text={t(urlProblem)} />}
        classNames={{ input: 'mono' }}
        type="url"
        inputMode="url"
        value={form.url}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
        onBlur={() => onChange({ url: gatewayUrl(form.url) })}
      />
      <fieldset className="panel lines" aria-label={t('setup.urlChoices')}>
        {URL_CHOICES.map((choice) => (
          <button
            key={choice.url}
            type="button"
            className="setup-choice"
            aria-pressed={form.url === choice.url}
            onClick={() => {
              onChange({ url: choice.url });
              document.getElementById(id)?.focus();
            }}
          >
            <span className="mono">{choice.url}</span>
            <span className="ink-2">{t(choice.label)}</span>
          </button>
        ))}
      </fieldset>
      <Advanced form={form} onChange={onChange} numbersWrong={numbersWrong} />
    </>
  );
}

function CollectionStep({ form, onChange }: StepProps) {
  const { t } = useText();
  return (
    <>
      <Switch
        checked={form.monitoring}
        onChange={(event) => onChange({ monitoring: event.currentTarget.checked })}
        label={t('setup.monitoring')}
        description={t('setup.monitoringHint')}
      />
      <Switch
        checked={form.monitoring && form.statistics}
        disabled={!form.monitoring}
        onChange={(event) => onChange({ statistics: event.currentTarget.checked })}
        label={t('setup.statistics')}
        description={t('setup.statisticsHint')}
      />
    </>
  );
}

function PollStep({ form, onChange, retentionMs, problem }: StepProps) {
  const { t } = useText();
  const id = useId();
  useFirstFocus(id);
  const range = pollRange(retentionMs);
  return (
    <NumberField
      id={id}
      label={t('setup.pollLabel')}
      description={t('setup.pollHint', { most: formatCount(range.most) })}
      insist={problem !== null}
      value={form.pollIntervalMs}
      range={range}
      unit="ms"
      style={{ maxWidth: 320 }}
      onChange={(pollIntervalMs) => onChange({ pollIntervalMs })}
    />
  );
}

function ReviewStep({ form, remember, onRemember }: StepProps) {
  const { t } = useText();
  const rows: readonly (readonly [string, string])[] = [
    [t('signIn.key'), '••••••••'],
    [t('setup.url'), gatewayUrl(form.url)],
    [t('setup.managementKey'), '••••••••'],
    [t('setup.monitoring'), form.monitoring ? t('common.on') : t('common.off')],
    [t('setup.statistics'), form.monitoring && form.statistics ? t('common.on') : t('common.off')],
    ...(form.monitoring ? [[t('setup.pollLabel'), `${form.pollIntervalMs} ms`] as const] : []),
    [t('setup.mode'), form.mode],
  ];
  return (
    <>
      <div className="panel lines">
        {rows.map(([label, value]) => (
          <div key={label} className="setup-choice">
            <span className="ink-2">{label}</span>
            <span className="medium" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </span>
          </div>
        ))}
      </div>
      <RememberField days={remember} onChange={onRemember} />
    </>
  );
}

function Advanced({
  form,
  onChange,
  numbersWrong,
}: Pick<StepProps, 'form' | 'onChange'> & { readonly numbersWrong: boolean }) {
  const { t } = useText();
  const [chosen, setOpen] = useState(false);
  const open = chosen || numbersWrong;
  return (
    <details className="small" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="row ink-2 medium">
        <Icon name={open ? 'chevronDown' : 'chevronRight'} />
        {t('setup.advanced')}
      </summary>
      <Box pt="md">
        <CollectorFields form={form} onChange={onChange} insist={numbersWrong} />
      </Box>
    </details>
  );
}
