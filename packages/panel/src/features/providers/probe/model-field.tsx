import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { type Entry, modelsOf } from '../../../platform/gateway/providers/entry.ts';
import type { Kind } from '../../../platform/gateway/providers/kinds.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { knownModels } from './ask-provider.ts';

/** Longer lists are not looked through. */
const MAX_SUGGESTED = 200;

/** The model to test: one of the entry, else one that the gateway knows of its kind. */
export function ModelField({
  kind,
  entry,
  value,
  disabled = false,
  onChange,
}: {
  readonly kind: Kind;
  readonly entry: Entry;
  readonly value: string;
  readonly disabled?: boolean;
  readonly onChange: (model: string) => void;
}) {
  const { t } = useText();
  const { client } = useServices();
  const list = useId();
  const own = modelsOf(entry).map(({ name }) => name);
  const known = useQuery({
    enabled: own.length === 0 && kind.channel !== '',
    queryKey: ['known-models', kind.channel],
    queryFn: () => knownModels(client, kind),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const suggested = own.length > 0 ? own : (known.data ?? []);
  return (
    <>
      <TextInput
        label={t('providers.testModel')}
        description={value.trim() === '' && t('providers.modelNeeded')}
        value={value}
        list={list}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={list}>
        {suggested.slice(0, MAX_SUGGESTED).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
