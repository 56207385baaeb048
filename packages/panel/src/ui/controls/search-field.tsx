import { Input } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Icon } from '../icons.tsx';
import { Button } from './button.tsx';

/** Typing takes effect after a pause, Enter at once. */
const TYPING_PAUSE_MS = 350;

/** Search of a page. `onChange` gets trimmed text after a pause: write it with `replace`. `/` should focus `input`. */
export function SearchField({
  value,
  onChange,
  placeholder,
  input,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** What is searched. */
  readonly placeholder: string;
  readonly input: RefObject<HTMLInputElement | null>;
}) {
  const { t } = useText();
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(value);
  // Back, forward and Clear all change the address; unfinished typing stays.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const send = (typed: string) => {
    clearTimeout(timer.current);
    if (typed.trim() === sent.current) return;
    sent.current = typed.trim();
    onChange(typed.trim());
  };
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(typed), TYPING_PAUSE_MS);
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') send(text);
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    if (text === '') event.currentTarget.blur();
    setText('');
    send('');
  };
  return (
    <Input
      withAria={false}
      size="xs"
      className="filter-search"
      ref={input}
      type="search"
      value={text}
      placeholder={placeholder}
      aria-label={t('search.label')}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKey}
      leftSection={<Icon name="search" />}
      rightSection={
        text === '' ? (
          <kbd className="key-cap only-wide">/</kbd>
        ) : (
          <Button
            kind="quiet"
            square
            aria-label={t('search.clear')}
            onClick={() => {
              setText('');
              send('');
              input.current?.focus();
            }}
          >
            <Icon name="close" />
          </Button>
        )
      }
    />
  );
}
