import { useState } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { maskKey } from '../../../platform/format/mask-key.ts';
import { type Entry, keysOf, modelsOf, type ProviderKey } from '../../../platform/gateway/providers/entry.ts';
import type { Kind } from '../../../platform/gateway/providers/kinds.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { type Answered, askProvider } from './ask-provider.ts';
import { ModelField } from './model-field.tsx';
import { testCall } from './probe.ts';
import { TestResult } from './test-result.tsx';

/** What was last tested of each kind: a new entry is tested again when it is stored. */
const lastModels = new Map<string, string>();

/** One small request for each key, only when asked for: it costs quota. */
export function TestTab({ kind, entry }: { readonly kind: Kind; readonly entry: Entry }) {
  const { t } = useText();
  const { client } = useServices();
  const [model, setModel] = useState(modelsOf(entry)[0]?.name ?? lastModels.get(kind.id) ?? '');
  const [answers, setAnswers] = useState<ReadonlyMap<number, Answered>>(new Map());
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());
  const keys = keysOf(kind, entry);
  const test = async (key: ProviderKey, at: number) => {
    lastModels.set(kind.id, model);
    setBusy((before) => new Set([...before, at]));
    const answer = await askProvider(client, testCall(kind, entry, key, model.trim()));
    setAnswers((before) => new Map([...before, [at, answer]]));
    setBusy((before) => new Set([...before].filter((other) => other !== at)));
  };
  return (
    <section className="form-fields">
      <h2>{t('providers.test')}</h2>
      <p className="ink-2">{t('providers.testText')}</p>
      <ModelField kind={kind} entry={entry} value={model} onChange={setModel} />
      {keys.map((key, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identified by position.
        <div key={at} className="form-row">
          <span className="row">
            <span className="mono">{key.key === '' ? t('providers.noKey') : maskKey(key.key)}</span>
            <span className="spacer" />
            <Button
              disabled={model.trim() === '' || busy.has(at)}
              aria-busy={busy.has(at)}
              aria-label={t('providers.testKey', { key: maskKey(key.key) })}
              onClick={() => void test(key, at)}
            >
              {t('providers.test')}
            </Button>
          </span>
          {answers.get(at) !== undefined && <TestResult answer={answers.get(at) as Answered} />}
        </div>
      ))}
    </section>
  );
}
