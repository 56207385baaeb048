import { Group, Stack, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { type ConfigObject, type ConfigValue, isObject } from '../model/values.ts';
import type { Thread } from '../worker/thread.ts';
import {
  conditionsOf,
  modelsOf,
  newRule,
  type Param,
  type ParamsKind,
  paramsOf,
  type Rules,
  withConditions,
  withEntry,
  withMember,
  withParams,
} from './payload-rules.ts';
import { YamlInput } from './yaml-input.tsx';

interface RulesControlProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly rules: Rules;
  readonly kind: ParamsKind;
  readonly thread: Thread;
  readonly onRules: (rules: Rules) => void;
  /** Input that is no value. */
  readonly onUnfinished: (input: string) => void;
}

/** Payload rules: for which models, and which values of the request they set or remove. */
export function RulesControl({ label, hint, rules, kind, thread, onRules, onUnfinished }: RulesControlProps) {
  const { t } = useText();
  const id = useId();
  return (
    <Stack component="fieldset" className="group" gap="sm" aria-labelledby={id}>
      <h3 id={id}>{label}</h3>
      {hint !== undefined && <span className="small ink-2">{hint}</span>}
      {rules.map((rule, index) => (
        <RuleForm
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity, and are never moved.
          key={index}
          number={index + 1}
          rule={rule}
          kind={kind}
          thread={thread}
          onRule={(changed) => onRules(withEntry(rules, index, changed))}
          onUnfinished={onUnfinished}
        />
      ))}
      <Group>
        <Button onClick={() => onRules([...rules, newRule(kind)])}>{t('config.addRule')}</Button>
      </Group>
    </Stack>
  );
}

interface RuleFormProps extends Pick<RulesControlProps, 'kind' | 'thread' | 'onUnfinished'> {
  readonly number: number;
  readonly rule: ConfigObject;
  readonly onRule: (rule: ConfigObject | undefined) => void;
}

function RuleForm({ number, rule, kind, thread, onRule, onUnfinished }: RuleFormProps) {
  const { t } = useText();
  const models = modelsOf(rule);
  const params = paramsOf(rule);
  const setModels = (changed: Rules) => onRule({ ...rule, models: changed });
  const setParams = (changed: readonly Param[]) => onRule(withParams(rule, changed, kind));
  return (
    <Stack component="fieldset" className="config-rule" gap="xs" aria-label={t('config.rule', { number })}>
      <Group>
        <b>{t('config.rule', { number })}</b>
        <span className="spacer" />
        <RemoveButton label={t('config.removeRule', { number })} onClick={() => onRule(undefined)} />
      </Group>
      {models.map((model, index) => (
        <ModelForm
          // biome-ignore lint/suspicious/noArrayIndexKey: as of rules
          key={index}
          model={model}
          thread={thread}
          onModel={(changed) => setModels(withEntry(models, index, changed))}
          onUnfinished={onUnfinished}
        />
      ))}
      <Group>
        <Button kind="quiet" onClick={() => setModels([...models, { name: '' }])}>
          {t('config.addModel')}
        </Button>
      </Group>
      {params.map((param, index) => (
        <ParamForm
          // biome-ignore lint/suspicious/noArrayIndexKey: as of rules
          key={index}
          param={param}
          taken={params.flatMap(({ path }, other) => (other === index ? [] : [path]))}
          kind={kind}
          onParam={(changed) => setParams(withEntry(params, index, changed))}
          onUnfinished={onUnfinished}
        />
      ))}
      <Group>
        <Button
          kind="quiet"
          disabled={params.some(({ path }) => path === '')}
          onClick={() => setParams([...params, { path: '', value: '' }])}
        >
          {t('config.addPath')}
        </Button>
      </Group>
    </Stack>
  );
}

const textOf = (value: ConfigValue | undefined): string => (typeof value === 'string' ? value : '');

function ModelForm({
  model,
  thread,
  onModel,
  onUnfinished,
}: Pick<RuleFormProps, 'thread' | 'onUnfinished'> & {
  readonly model: ConfigObject;
  readonly onModel: (model: ConfigObject | undefined) => void;
}) {
  const { t } = useText();
  const conditions = conditionsOf(model);
  const [shown, setShown] = useState(Object.keys(conditions).length > 0);
  return (
    <>
      <Group align="end" gap="xs" className="config-row">
        <TextInput
          label={t('config.ruleModel')}
          placeholder="*"
          value={textOf(model.name)}
          spellCheck={false}
          onChange={({ currentTarget }) => onModel({ ...model, name: currentTarget.value })}
        />
        <TextInput
          label={t('config.ruleProtocol')}
          placeholder={t('config.ruleAny')}
          value={textOf(model.protocol)}
          spellCheck={false}
          onChange={({ currentTarget }) => onModel(withMember(model, 'protocol', currentTarget.value))}
        />
        <TextInput
          label={t('config.ruleFrom')}
          placeholder={t('config.ruleAny')}
          value={textOf(model['from-protocol'])}
          spellCheck={false}
          onChange={({ currentTarget }) => onModel(withMember(model, 'from-protocol', currentTarget.value))}
        />
        <RemoveButton
          label={t('config.removeModel', { name: textOf(model.name) || '*' })}
          onClick={() => onModel(undefined)}
        />
      </Group>
      {shown ? (
        <YamlInput
          label={t('config.conditions')}
          hint={t('config.conditionsHint')}
          value={Object.keys(conditions).length === 0 ? undefined : conditions}
          thread={thread}
          accepts={(value) => value === undefined || isObject(value)}
          onValue={(value) => onModel(withConditions(model, isObject(value) ? value : {}))}
          onUnfinished={onUnfinished}
        />
      ) : (
        <Group>
          <Button kind="quiet" onClick={() => setShown(true)}>
            {t('config.addConditions')}
          </Button>
        </Group>
      )}
    </>
  );
}

/** The value as JSON, so that `"1"` and `1` differ; the text itself where the list holds JSON texts. */
function ParamForm({
  param,
  taken,
  kind,
  onParam,
  onUnfinished,
}: Pick<RuleFormProps, 'kind' | 'onUnfinished'> & {
  readonly param: Param;
  /** Paths of the other lines. */
  readonly taken: readonly string[];
  readonly onParam: (param: Param | undefined) => void;
}) {
  const { t } = useText();
  /** Typed text that is no JSON, or has spaces of its own. */
  const [typed, setTyped] = useState<string | null>(null);
  /** Typed path that another line has: writing it would end that one. */
  const [twice, setTwice] = useState<string | null>(null);
  const raw = kind === 'raw';
  const stored = raw ? String(param.value) : JSON.stringify(param.value);
  const shown = typed ?? stored;
  const type = (text: string) => {
    setTyped(text);
    if (!isJson(text)) onUnfinished(text);
    else onParam({ ...param, value: raw ? text : (JSON.parse(text) as ConfigValue) });
  };
  return (
    <Group align="end" gap="xs" className="config-row">
      <TextInput
        label={t('config.rulePath')}
        value={twice ?? param.path}
        spellCheck={false}
        error={twice === null ? undefined : t('config.pathTwice')}
        onChange={({ currentTarget }) => {
          const path = currentTarget.value;
          const isTaken = taken.includes(path);
          setTwice(isTaken ? path : null);
          if (isTaken) onUnfinished(path);
          else onParam({ ...param, path });
        }}
      />
      {kind !== 'paths' && (
        <TextInput
          label={t('config.ruleValue')}
          classNames={{ input: 'mono' }}
          value={shown}
          spellCheck={false}
          error={isJson(shown) ? undefined : t('config.notJson')}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
      )}
      <RemoveButton label={t('config.removePath', { name: param.path })} onClick={() => onParam(undefined)} />
    </Group>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button kind="quiet" square aria-label={label} onClick={onClick}>
      <Icon name="close" />
    </Button>
  );
}
