import { Menu } from '@mantine/core';
import { Icon } from '../icons.tsx';
import { Button } from './button.tsx';
import { ChoiceItems } from './choice-items.tsx';

/** A filter as a button that shows its value, with its choices in a menu. */
export function ChoiceMenu({
  title,
  value,
  choices,
  name,
  onChange,
}: {
  readonly title: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly name: (value: string) => string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <Menu position="bottom-start" width={200}>
      <Menu.Target>
        <Button>
          <span className="ink-3">{title}</span>
          {name(value)}
          <Icon name="chevronDown" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <ChoiceItems
          title={title}
          value={value}
          options={choices.map((choice) => ({ value: choice, label: name(choice) }))}
          onChange={onChange}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
