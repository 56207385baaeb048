import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the page is being printed: what is only on paper is not in the document otherwise. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(() => matchMedia('print').matches);
  useEffect(() => {
    const media = matchMedia('print');
    // The browser lays the paper out right after the event. The media query follows only later, but also for a preview.
    const show = (on: boolean) => flushSync(() => setPrinting(on));
    const begin = () => show(true);
    const end = () => show(false);
    const follow = () => show(media.matches);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    media.addEventListener('change', follow);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
      media.removeEventListener('change', follow);
    };
  }, []);
  return printing;
}
