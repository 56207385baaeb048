import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../platform/format/format.ts';
import { type Translate, useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { usePhone } from '../../../ui/use-phone.ts';
import type { ConfigurationSearch } from '../configuration-search.ts';
import {
  type DraftState,
  fieldState,
  type SectionCounts,
  sectionCounts,
  withEdit,
  withoutEdit,
  withUnfinished,
} from '../draft.ts';
import { FIELDS, type Field, fieldId, SECTIONS, type Section } from '../model/fields.ts';
import { holdsSecret } from '../model/secrets.ts';
import type { Summary } from '../model/summary.ts';
import type { Thread } from '../worker/thread.ts';
import { FieldControl } from './field-control.tsx';
import { FIELD_TEXTS, SECTION_TEXTS } from './field-texts.ts';

interface VisualModeProps {
  readonly draft: DraftState;
  readonly summary: Summary;
  readonly before: Summary | null;
  readonly thread: Thread;
  readonly search: ConfigurationSearch;
  readonly onSection: (section: Section | '') => void;
  readonly onDraft: (change: (draft: DraftState) => DraftState) => void;
}

/** Every setting as a field, by section; a search shows those that match. */
export function VisualMode(props: VisualModeProps) {
  const { t } = useText();
  const phone = usePhone();
  const { search, onSection } = props;
  if (search.text !== '') return <Found {...props} />;
  const section = search.section === '' ? (phone ? null : 'server') : search.section;
  return (
    <div className="config-visual">
      {(!phone || section === null) && <SectionList {...props} chosen={section} />}
      {section !== null && (
        <section className="panel" aria-label={t(SECTION_TEXTS[section])}>
          <div className="panel-head">
            <h2>{t(SECTION_TEXTS[section])}</h2>
            <span className="spacer" />
            {phone && <Button onClick={() => onSection('')}>{t('config.back')}</Button>}
          </div>
          <Stack gap="lg" maw={640} pt="xs" className="panel-body">
            <SectionLinks section={section} summary={props.summary} />
            {FIELDS.filter((field) => field.section === section).map((field) => (
              <FieldRow key={fieldId(field)} {...props} field={field} />
            ))}
          </Stack>
        </section>
      )}
    </div>
  );
}

function SectionList({
  draft,
  summary,
  before,
  chosen,
  onSection,
}: VisualModeProps & { readonly chosen: Section | null }) {
  const { t } = useText();
  return (
    <nav className="panel config-sections" aria-label={t('config.sections')}>
      {SECTIONS.map((section) => (
        <button
          key={section}
          type="button"
          aria-current={section === chosen ? 'true' : undefined}
          onClick={() => onSection(section)}
        >
          <span>{t(SECTION_TEXTS[section])}</span>
          <Counts counts={sectionCounts(draft, section, summary, before)} />
        </button>
      ))}
    </nav>
  );
}

function Counts({ counts: { changed, invalid } }: { readonly counts: SectionCounts }) {
  const { t } = useText();
  return (
    <>
      {changed > 0 && <span className="small config-changed">{t('config.changedCount', { count: changed })}</span>}
      {invalid > 0 && <span className="small config-invalid">{t('config.invalidCount', { count: invalid })}</span>}
    </>
  );
}

/** Parts of the file that have pages of their own. */
function SectionLinks({ section, summary }: { readonly section: Section; readonly summary: Summary }): ReactNode {
  const { t } = useText();
  if (section === 'clients') {
    return (
      <>
        {summary.clientKeys === 0 && <Note tone="warn" fact={t('config.openGateway')} />}
        <p>
          {t('config.clientKeysText', { count: summary.clientKeys })}{' '}
          <Link to="/api-keys" search={{}} className="link">
            {t('config.toKeys')}
          </Link>
        </p>
      </>
    );
  }
  if (section !== 'providers') return null;
  return (
    <p>
      {t('config.providersText', {
        providers: formatCount(summary.providers),
        rules: formatCount(summary.modelRules),
      })}{' '}
      <Link to="/providers" search={{}} className="link">
        {t('config.toProviders')}
      </Link>{' '}
      <Link to="/accounts" search={{ view: ['oauth'] }} className="link">
        {t('config.toRules')}
      </Link>
    </p>
  );
}

function Found(props: VisualModeProps) {
  const { t } = useText();
  const fields = matchingFields(t, props.search.text);
  return (
    <section className="panel" aria-label={t('config.search')}>
      {fields.length === 0 ? (
        <EmptyState title={t('config.noField')} text={t('config.noFieldText')} />
      ) : (
        <Stack gap="lg" maw={640} pt="md" className="panel-body">
          {fields.map((field) => (
            <FieldRow key={fieldId(field)} {...props} field={field} />
          ))}
        </Stack>
      )}
    </section>
  );
}

function matchingFields(t: Translate, text: string): readonly Field[] {
  const words = text.toLowerCase().split(/\s+/);
  return FIELDS.filter((field) => {
    const texts = FIELD_TEXTS[fieldId(field)];
    const all = [
      fieldId(field),
      texts && t(texts.label),
      texts?.hint && t(texts.hint),
      t(SECTION_TEXTS[field.section]),
    ];
    const searched = all.join(' ').toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

function FieldRow({ field, draft, summary, before, thread, onDraft }: VisualModeProps & { readonly field: Field }) {
  const { t } = useText();
  const id = fieldId(field);
  const texts = FIELD_TEXTS[id];
  const label = texts === undefined ? id : t(texts.label);
  const state = fieldState(draft, id, summary, before);
  const { on: masked } = useMasker();
  const [shown, setShown] = useState(false);
  const hidden =
    masked && !shown && !state.changed && state.value.state !== 'unset' && holdsSecret(id, state.value.value);
  if (hidden) {
    return (
      <div className="config-field form-row">
        <span className="medium">{label}</span>
        <span className="small ink-2">{t('config.hiddenValue')}</span>
        <span>
          <Button aria-label={t('config.showValue', { name: label })} onClick={() => setShown(true)}>
            {t('config.show')}
          </Button>
        </span>
        <code className="small ink-3">{id}</code>
      </div>
    );
  }
  return (
    <div className="config-field">
      <FieldControl
        field={field}
        state={state}
        thread={thread}
        label={label}
        hint={texts?.hint === undefined ? undefined : t(texts.hint)}
        onChange={(value) => onDraft((now) => withEdit(now, id, value, summary))}
        onUnfinished={(input) => onDraft((now) => withUnfinished(now, id, input))}
      />
      <div className="config-field-foot">
        <code className="small ink-3">{id}</code>
        {state.changed && (
          <>
            <Status tone="wait">{t('config.changed')}</Status>
            <Button
              kind="quiet"
              aria-label={t('config.undo', { name: label })}
              onClick={() => onDraft((now) => withoutEdit(now, id, summary, before))}
            >
              {t('config.undoShort')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
