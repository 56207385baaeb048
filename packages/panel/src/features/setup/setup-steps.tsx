import { Switch } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { gatewayUrl } from '../../platform/format/gateway-url.ts';
import { useText } from '../../platform/i18n/index.ts';
import type { RememberDays } from '../../platform/session/session.ts';
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
  readonly problem: string | null;
  readonly remember: RememberDays | null;
  readonly onRemember: (remember: RememberDays | null) => void;
}

export function StepFields(props: StepProps) {
  switch (props.step) {
    case 'adminKey':
      return <KeyStep key="admin" {...props} />;
    case 'upstream':
      return <UpstreamStep {...props} />;
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

/** Focus goes to the field of a step that was just opened. */
function useFirstFocus(id: string): void {
  useEffect(() => document.getElementById(id)?.focus(), [id]);
}

function KeyStep({ form, onChange, problem, management = false }: StepProps & { readonly management?: boolean }) {
  const { t } = useText();
  const id = useId();
  useFirstFocus(id);
  return (
    <>
      <div className="form-row">
        <label className="form-label" htmlFor={id}>
          {management ? t('setup.managementKey') : t('signIn.key')}
        </label>
        <KeyField
          id={id}
          value={management ? form.managementKey : form.adminKey}
          onChange={(value) => onChange(management ? { managementKey: value } : { adminKey: value })}
          autoComplete="off"
          invalid={problem !== null}
          describedBy={`${id}-hint`}
        />
        <span id={`${id}-hint`} className={problem === null ? 'form-hint' : 'form-error'}>
          <Marked text={problem ?? (management ? t('setup.managementKeyHint') : t('setup.adminKeyHint'))} />
        </span>
      </div>
      {management && <Advanced form={form} onChange={onChange} />}
    </>
  );
}

function UpstreamStep({ form, onChange, problem }: StepProps) {
  const { t } = useText();
  const id = useId();
  useFirstFocus(id);
  return (
    <>
      <div className="form-row">
        <label className="form-label" htmlFor={id}>
          {t('setup.url')}
        </label>
        <div className="field large">
          <input
            id={id}
            className="mono"
            type="url"
            inputMode="url"
            value={form.url}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={problem !== null}
            aria-describedby={`${id}-hint`}
            onChange={(event) => onChange({ url: event.currentTarget.value })}
            onBlur={() => onChange({ url: gatewayUrl(form.url) })}
          />
        </div>
        <span id={`${id}-hint`} className={problem === null ? 'form-hint' : 'form-error'}>
          {problem ?? t('setup.urlHint')}
        </span>
      </div>
      <fieldset className="panel" aria-label={t('setup.urlChoices')}>
        {URL_CHOICES.map((choice, index) => (
          <button
            key={choice.url}
            type="button"
            className="setup-choice"
            aria-pressed={form.url === choice.url}
            style={index === 0 ? { borderTop: 0 } : undefined}
            onClick={() => onChange({ url: choice.url })}
          >
            <span className="mono">{choice.url}</span>
            <span className="ink-2">{t(choice.label)}</span>
          </button>
        ))}
      </fieldset>
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

function PollStep({ form, onChange, problem }: StepProps) {
  const { t } = useText();
  const id = useId();
  useFirstFocus(id);
  return (
    <NumberField
      id={id}
      label={t('setup.pollLabel')}
      description={problem === null ? t('setup.pollHint') : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={problem}
      value={form.pollIntervalMs}
      min={1}
      unit="ms"
      style={{ maxWidth: 320 }}
      onChange={(value) => onChange({ pollIntervalMs: value ?? Number.NaN })}
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
      <div className="panel">
        {rows.map(([label, value], index) => (
          <div key={label} className="setup-review" style={index === 0 ? { borderTop: 0 } : undefined}>
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

function Advanced({ form, onChange }: Pick<StepProps, 'form' | 'onChange'>) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  return (
    <details className="small" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="ink-2 medium setup-summary">
        <Icon name={open ? 'chevronDown' : 'chevronRight'} />
        {t('setup.advanced')}
      </summary>
      <CollectorFields form={form} onChange={onChange} />
    </details>
  );
}
