import { Menu } from '@mantine/core';

/** A radio group as menu items, under a heading. */
export function ChoiceItems<V extends string>({
  title,
  value,
  options,
  onChange,
}: {
  readonly title: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string; readonly lang?: string }[];
  readonly onChange: (value: V) => void;
}) {
  return (
    <>
      <Menu.Label>{title}</Menu.Label>
      <Menu.RadioGroup value={value}>
        {options.map((option) => (
          <Menu.RadioItem
            key={option.value}
            value={option.value}
            lang={option.lang}
            closeMenuOnClick
            onChange={() => onChange(option.value)}
          >
            {option.label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
