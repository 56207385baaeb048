import { Select } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';

/** All zones the browser knows; older engines may list none. */
function zones(): readonly string[] {
  return typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : [];
}

const DEFAULT_VALUE = 'default';

/** A time zone by its name. */
export function ZoneSelect({
  label,
  description,
  value,
  defaultLabel,
  onChange,
}: {
  readonly label: string;
  readonly description?: string;
  /** '' = the default. */
  readonly value: string;
  readonly defaultLabel: string;
  readonly onChange: (zone: string) => void;
}) {
  const { t } = useText();
  const names = new Set(['UTC', ...zones(), ...(value === '' ? [] : [value])]);
  return (
    <Select
      label={label}
      description={description}
      searchable
      data={[
        { value: DEFAULT_VALUE, label: defaultLabel },
        ...[...names].map((zone) => ({ value: zone, label: zone })),
      ]}
      value={value === '' ? DEFAULT_VALUE : value}
      allowDeselect={false}
      nothingFoundMessage={t('filter.nothing')}
      maxDropdownHeight={240}
      limit={100}
      onChange={(zone) => {
        if (zone !== null) onChange(zone === DEFAULT_VALUE ? '' : zone);
      }}
    />
  );
}
