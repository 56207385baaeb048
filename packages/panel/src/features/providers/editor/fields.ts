import type { Kind, KindId } from '../../../platform/gateway/providers/kinds.ts';
import type { TextKey } from '../../../platform/i18n/index.ts';
import { ERROR_RULES } from '../../../ui/forms/error-rules.ts';
import type { Field } from '../../../ui/forms/fields.ts';

const text = (name: string, label: TextKey, hint?: TextKey): Field => ({
  name,
  kind: 'text',
  label,
  ...(hint === undefined ? {} : { hint }),
});
const flag = (name: string, label: TextKey): Field => ({ name, kind: 'flag', label });
const integer = (name: string, label: TextKey, hint?: TextKey, min = 0): Field => ({
  ...text(name, label, hint),
  kind: 'integer',
  min,
});
const words = (name: string, label: TextKey, hint?: TextKey): Field => ({ ...text(name, label, hint), kind: 'words' });
const more = (field: Field): Field => ({ ...field, more: true });

const API_KEY: Field = { name: 'api-key', kind: 'secret', label: 'providers.key' };
const PROXY = text('proxy-url', 'providers.proxy', 'providers.proxyHint');
const WEIGHT = integer('weight', 'providers.weight', 'providers.weightHint', Number.NEGATIVE_INFINITY);

const KEYS: Field = {
  name: 'api-key-entries',
  kind: 'rows',
  label: 'providers.keys',
  fields: [API_KEY, WEIGHT, PROXY],
};

const THINKING: Field = {
  name: 'thinking',
  kind: 'group',
  label: 'providers.thinking',
  more: true,
  fields: [
    integer('min', 'providers.thinkingMin'),
    integer('max', 'providers.thinkingMax'),
    flag('zero_allowed', 'providers.thinkingZero'),
    flag('dynamic_allowed', 'providers.thinkingDynamic'),
    words('levels', 'providers.thinkingLevels'),
  ],
};

function modelFields(id: KindId): readonly Field[] {
  return [
    text('name', 'providers.modelName'),
    text('alias', 'providers.modelAlias'),
    more(text('display-name', 'providers.modelTitle')),
    ...(id === 'vertex'
      ? []
      : [
          more(integer('max-context-length', 'providers.modelContext')),
          more(flag('is-compat', 'providers.modelCompat')),
        ]),
    more(flag('force-mapping', 'providers.modelForce')),
    ...(id === 'openai'
      ? [
          more(flag('image', 'providers.modelImage')),
          more(words('input-modalities', 'providers.modelInput')),
          more(words('output-modalities', 'providers.modelOutput')),
        ]
      : []),
    THINKING,
  ];
}

const CLAUDE: readonly Field[] = [
  {
    name: 'cloak',
    kind: 'group',
    label: 'providers.cloak',
    fields: [
      { name: 'mode', kind: 'choice', label: 'providers.cloakMode', choices: ['auto', 'always', 'never'] },
      flag('strict-mode', 'providers.cloakStrict'),
      flag('cache-user-id', 'providers.cloakUser'),
      words('sensitive-words', 'providers.cloakWords'),
    ],
  },
  text('fingerprint-profile', 'providers.fingerprint'),
  flag('rebuild-mid-system-message', 'providers.rebuildSystem'),
  flag('experimental-cch-signing', 'providers.cchSigning'),
];

export interface FieldGroup {
  readonly label: TextKey;
  readonly fields: readonly Field[];
}

/** Every documented member of a kind. */
export function fieldGroups({ id, home, channel }: Kind): readonly FieldGroup[] {
  const compatible = id === 'openai';
  return [
    {
      label: 'providers.groupAccess',
      fields: [
        ...(compatible ? [text('name', 'providers.name')] : [API_KEY]),
        text('base-url', 'providers.url', home === '' ? 'providers.urlHintNeeded' : 'providers.urlHint'),
        ...(compatible ? [KEYS] : [PROXY]),
        { name: 'headers', kind: 'headers', label: 'providers.headers', hint: 'providers.headersHint' },
      ],
    },
    {
      label: 'providers.groupOrder',
      fields: [
        integer('priority', 'providers.priority', 'providers.priorityHint', Number.NEGATIVE_INFINITY),
        ...(compatible ? [] : [WEIGHT]),
        text('prefix', 'providers.prefix', 'providers.prefixHint'),
      ],
    },
    {
      label: 'providers.groupModels',
      fields: [
        {
          name: 'models',
          kind: 'rows',
          label: 'providers.models',
          hint: channel === '' ? 'providers.modelsHintNone' : 'providers.modelsHint',
          fields: modelFields(id),
        },
        ...(compatible ? [] : [words('excluded-models', 'providers.excluded', 'providers.excludedHint')]),
      ],
    },
    {
      label: 'providers.groupFailures',
      fields: [
        { name: 'disable-cooling', kind: 'tristate', label: 'providers.noCooling' },
        integer('request-retry', 'providers.retries', 'providers.retriesHint', -1),
        ...(id === 'vertex' ? [] : [ERROR_RULES]),
      ],
    },
    {
      label: 'providers.groupSpecial',
      fields: [
        ...(id === 'codex' || id === 'xai' ? [flag('websockets', 'providers.websockets')] : []),
        ...(id === 'codex' ? [flag('alpha-search', 'providers.alphaSearch')] : []),
        ...(id === 'claude' ? CLAUDE : []),
        ...(compatible ? [flag('support-prompt-cache-key', 'providers.cacheKey')] : []),
      ],
    },
  ].filter(({ fields }) => fields.length > 0) as readonly FieldGroup[];
}
