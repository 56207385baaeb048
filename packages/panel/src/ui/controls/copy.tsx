import { useCallback, useEffect, useRef, useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Icon } from '../icons.tsx';

/** Copies text; on insecure origins, where the clipboard is not available, through a selection. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    const focused = document.activeElement;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return done;
  }
}

/** True for a moment after a copy. */
export function useCopied(): readonly [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback((text: string) => {
    void copyText(text).then((done) => {
      if (!done) return;
      setCopied(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setCopied(false), 1_500);
    });
  }, []);
  return [copied, copy];
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useText();
  const [copied, copy] = useCopied();
  const name = copied ? t('common.copied') : t('common.copyValue', { name: label });
  return (
    <button type="button" className="copy-button" aria-label={name} title={name} onClick={() => copy(text)}>
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}
