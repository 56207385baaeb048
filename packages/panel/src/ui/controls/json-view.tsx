import { Input } from '@mantine/core';
import { useState } from 'react';
import { hideSecrets, type IsSecret, revealSecrets } from '../../platform/format/hidden-json.ts';
import { useText } from '../../platform/i18n/index.ts';

/** A whole JSON object as text, unknown members included, its secrets as placeholders. */
export function JsonView({
  object,
  isSecret,
  rows = 24,
  onChange,
}: {
  readonly object: unknown;
  readonly isSecret: IsSecret;
  readonly rows?: number;
  /** null = the text is no object. */
  readonly onChange: (object: Readonly<Record<string, unknown>> | null) => void;
}) {
  const { t } = useText();
  // The placeholders of the first text stay valid while it is edited.
  const [{ text: start, secrets }] = useState(() => hideSecrets(object, isSecret));
  const [text, setText] = useState(start);
  const broken = revealSecrets(text, secrets) === null;
  return (
    <Input.Wrapper
      label={t('providers.json')}
      description={t('providers.jsonHint')}
      error={broken && t('providers.jsonInvalid')}
    >
      <Input
        component="textarea"
        multiline
        classNames={{ input: 'mono' }}
        rows={rows}
        value={text}
        spellCheck={false}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onChange(revealSecrets(event.currentTarget.value, secrets));
        }}
      />
    </Input.Wrapper>
  );
}
