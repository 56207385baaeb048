import { useState } from 'react';
import { type Entry, rowsIn, withMember } from '../../../platform/gateway/providers/entry.ts';
import type { Kind } from '../../../platform/gateway/providers/kinds.ts';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FieldInput } from '../../../ui/forms/field-input.tsx';
import { ModelFinder } from '../probe/model-finder.tsx';
import type { Draft } from './draft.ts';
import { fieldGroups } from './fields.ts';
import { HeadersInput } from './headers-input.tsx';

/** Every documented member of an entry. */
export function EntryForm({
  kind,
  draft,
  callable,
  problems,
  onChange,
}: {
  readonly kind: Kind;
  readonly draft: Draft;
  /** The edited entry for calls to its provider. */
  readonly callable: Entry;
  readonly problems: ReadonlyMap<string, TextKey>;
  readonly onChange: (draft: Draft) => void;
}) {
  const { t } = useText();
  const [finding, setFinding] = useState(false);
  const { entry } = draft;
  const set = (name: string, value: unknown) => onChange({ ...draft, entry: withMember(entry, name, value) });
  return (
    <>
      {fieldGroups(kind).map(({ label, fields }) => (
        <section key={label} className="form-fields">
          <h2>{t(label)}</h2>
          {fields.map((field) =>
            field.kind === 'headers' ? (
              <HeadersInput
                key={field.name}
                rows={draft.headers}
                problems={problems}
                onChange={(headers) => onChange({ ...draft, headers })}
              />
            ) : (
              <FieldInput
                key={field.name}
                field={field}
                value={entry[field.name]}
                path={field.name}
                problems={problems}
                onChange={(value) => set(field.name, value)}
                action={
                  field.name === 'models' && (
                    <Button onClick={() => setFinding(true)}>{t('providers.findModels')}</Button>
                  )
                }
              />
            ),
          )}
        </section>
      ))}
      <ModelFinder
        opened={finding}
        kind={kind}
        entry={callable}
        onClose={() => setFinding(false)}
        onAdd={(names) => set('models', [...rowsIn(entry, 'models'), ...names.map((name) => ({ name, alias: name }))])}
      />
    </>
  );
}
