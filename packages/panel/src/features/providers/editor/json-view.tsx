import { Input } from '@mantine/core';
import { useState } from 'react';
import type { Entry } from '../../../platform/gateway/providers/entry.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { hideSecrets, revealSecrets } from './hidden-json.ts';

/** The whole entry as text, unknown members included. */
export function JsonView({
  entry,
  onChange,
}: {
  readonly entry: Entry;
  /** null = the text is no entry. */
  readonly onChange: (entry: Entry | null) => void;
}) {
  const { t } = useText();
  // The placeholders of the first text stay valid while it is edited.
  const [{ text: start, secrets }] = useState(() => hideSecrets(entry));
  const [text, setText] = useState(start);
  const broken = revealSecrets(text, secrets) === null;
  return (
    <section>
      <Input.Wrapper
        label={t('providers.json')}
        description={t('providers.jsonHint')}
        error={broken && t('providers.jsonInvalid')}
      >
        <Input
          component="textarea"
          multiline
          classNames={{ input: 'mono' }}
          rows={24}
          value={text}
          spellCheck={false}
          onChange={(event) => {
            setText(event.currentTarget.value);
            onChange(revealSecrets(event.currentTarget.value, secrets));
          }}
        />
      </Input.Wrapper>
    </section>
  );
}
