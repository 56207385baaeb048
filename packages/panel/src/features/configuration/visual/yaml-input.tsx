import { Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { isBlock, renderBlock, renderFlow } from '../model/render.ts';
import { type ConfigValue, sameValue } from '../model/values.ts';
import type { Thread } from '../worker/thread.ts';

/** How long typing rests before the worker reads it, ms. */
const TYPING_PAUSE_MS = 300;

interface YamlInputProps {
  readonly label: string;
  readonly hint: string | undefined;
  /** undefined = not set. */
  readonly value: ConfigValue | undefined;
  readonly thread: Thread;
  /** Whether a value has the right form; absent = any. */
  readonly accepts?: (value: ConfigValue | undefined) => boolean;
  readonly onValue: (value: ConfigValue | undefined) => void;
  /** Typed, and not read as a value yet. */
  readonly onUnfinished: (input: string) => void;
}

/** A part of the configuration as YAML. */
export function YamlInput({ label, hint, value, thread, accepts, onValue, onUnfinished }: YamlInputProps) {
  const { t } = useText();
  const [problem, setProblem] = useState<{ readonly line: number; readonly message: string } | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  /** What was typed last, as a value: another one comes from elsewhere, such as an undo. */
  const reported = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const calls = useRef({ onValue, accepts });
  useEffect(() => {
    calls.current = { onValue, accepts };
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (sameValue(value, reported.current)) return;
    reported.current = value;
    setTyped(null);
    setProblem(null);
  }, [value]);
  const read = async (text: string) => {
    const fragment = await thread.readFragment(text);
    if (!fragment.ok) setProblem(fragment);
    else if (calls.current.accepts?.(fragment.value) === false) setProblem({ line: 1, message: '' });
    else {
      setProblem(null);
      reported.current = fragment.value;
      calls.current.onValue(fragment.value);
    }
  };
  return (
    <Textarea
      label={label}
      description={hint}
      classNames={{ input: 'mono' }}
      placeholder={t('config.unset')}
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      autoCapitalize="none"
      value={typed ?? (value === undefined ? '' : textOf(value))}
      error={problem === null ? undefined : t('config.badYaml', { ...problem })}
      onChange={({ currentTarget }) => {
        const text = currentTarget.value;
        setTyped(text);
        // A change at once, so that nothing is saved without it.
        onUnfinished(text);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => void read(text), TYPING_PAUSE_MS);
      }}
    />
  );
}

function textOf(value: ConfigValue): string {
  return isBlock(value) ? renderBlock(value, 0).join('\n') : renderFlow(value);
}
