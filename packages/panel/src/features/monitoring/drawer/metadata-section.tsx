import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { Fragment } from 'react';
import { isRecord } from '../../../platform/browser/storage.ts';
import { shortTime } from '../../../platform/format/time.ts';
import { type TextKey, type Translate, useText } from '../../../platform/i18n/index.ts';
import type { CellContext } from '../list/event-cells.tsx';
import type { SectionProps } from './event-sections.tsx';
import { Field } from './field.tsx';

/** Groups of the metadata, most useful first; members have their wire names. */
const GROUPS = [
  ['errors', 'group.errors'],
  ['quota', 'group.quota'],
  ['provider_usage', 'group.providerUsage'],
  ['rate_limit', 'group.rateLimit'],
  ['trace', 'group.trace'],
  ['routing', 'group.routing'],
  ['response', 'group.response'],
  ['providers', 'group.providers'],
  ['data_policy', 'group.dataPolicy'],
] as const satisfies readonly (readonly [string, TextKey])[];

function flatten(value: unknown, prefix: string): readonly (readonly [string, unknown])[] {
  if (!isRecord(value)) return [[prefix, value]];
  return Object.entries(value).flatMap(([name, item]) => flatten(item, prefix === '' ? name : `${prefix}.${name}`));
}

function evidenceText(name: string, value: unknown, event: EventRow, context: CellContext): string {
  if (name.endsWith('_ms') && typeof value === 'number' && value > 1e11) {
    return shortTime(value, event.timestamp_ms, context.zone, context.locale);
  }
  return context.masker.text(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Data from the answer's headers, one per line; masked like the screen. */
export function evidenceLines(event: EventRow, context: CellContext): readonly string[] {
  return flatten(event.response_metadata ?? {}, '').map(
    ([name, value]) => `${name}: ${evidenceText(name, value, event, context)}`,
  );
}

export function MetadataSection({ event, context }: SectionProps) {
  const { t } = useText();
  const groups = groupsOf(event, t);
  if (groups.length === 0) return null;
  return (
    <section>
      <h2>{t('drawer.metadata')}</h2>
      {groups.map(({ name: group, label }) => (
        <Fragment key={group}>
          <h3>{label}</h3>
          <dl className="definitions" style={{ gridTemplateColumns: '220px minmax(0, 1fr)' }}>
            {flatten(event.response_metadata?.[group], '').map(([name, value]) => (
              <Field key={name} label={name} value={evidenceText(name, value, event, context)} mono />
            ))}
          </dl>
        </Fragment>
      ))}
    </section>
  );
}

/** Known groups first; a newer server may send others. */
function groupsOf(event: EventRow, t: Translate): readonly { readonly name: string; readonly label: string }[] {
  const metadata = event.response_metadata ?? {};
  const known = new Set<string>(GROUPS.map(([name]) => name));
  return [
    ...GROUPS.map(([name, key]) => ({ name, label: t(key) })),
    ...Object.keys(metadata)
      .filter((name) => !known.has(name))
      .map((name) => ({ name, label: name })),
  ].filter(({ name }) => metadata[name] !== undefined);
}
