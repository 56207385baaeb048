import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import type { Word } from '../display/status.tsx';
import { ChoiceItems } from './choice-items.tsx';

type Words = Readonly<Record<string, Word>>;
type Counts = Readonly<Record<string, number>>;

/** Filter options in the order of their words, including the chosen one even if nothing has it. */
export const filterStatuses = (words: Words, counts: Counts, chosen: string): readonly string[] =>
  Object.keys(words).filter((status) => status === chosen || (counts[status] ?? 0) > 0);

/** Filter by status with the number of rows of each; '' = all. */
export function StatusMenu({
  words,
  counts,
  status,
  onStatus,
  target,
}: {
  readonly words: Words;
  readonly counts: Counts;
  readonly status: string;
  readonly onStatus: (status: string) => void;
  /** The button, with the name of what is chosen. */
  readonly target: (name: string) => ReactNode;
}) {
  const { t } = useText();
  const name = (value: string) => t(words[value]?.label ?? 'filter.all');
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const options = ['', ...filterStatuses(words, counts, status)].map((value) => ({
    value,
    label: `${name(value)} · ${formatCount(value === '' ? all : (counts[value] ?? 0))}`,
  }));
  return (
    <Menu width={200}>
      <Menu.Target>{target(name(status))}</Menu.Target>
      <Menu.Dropdown>
        <ChoiceItems title={t('filter.status')} value={status} options={options} onChange={onStatus} />
      </Menu.Dropdown>
    </Menu>
  );
}
