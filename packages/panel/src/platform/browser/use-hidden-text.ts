import { useState } from 'react';
import { isPrivateText } from './private-text.ts';

/**
 * A text that the address keeps, unless it is a secret or a name, which stays with the page.
 *
 * @param written as the address has it
 */
export function useHiddenText(
  written: string,
  write: (text: string) => void,
  isPrivate: (text: string) => boolean = isPrivateText,
): readonly [text: string, set: (text: string) => void, forget: () => void] {
  const [hidden, setHidden] = useState('');
  const set = (text: string) => {
    const isHidden = isPrivate(text);
    setHidden(isHidden ? text : '');
    write(isHidden ? '' : text);
  };
  return [hidden || written, set, () => setHidden('')];
}
