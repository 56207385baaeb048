import { useMemo } from 'react';

const LETTERS = 100;

/** Width of a letter in logs, px. */
export function useLetterWidth(): number {
  return useMemo(() => {
    const probe = document.createElement('span');
    probe.className = 'log-font';
    probe.style.position = 'absolute';
    probe.style.visibility = 'hidden';
    probe.textContent = '0'.repeat(LETTERS);
    document.body.append(probe);
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width / LETTERS || 7.2;
  }, []);
}
