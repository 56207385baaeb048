import { useCallback, useRef, useState } from 'react';

/** Size of the room inside an element that scrolls, without its scroll bars, px; 0 until it is known. */
export function useClientSize() {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const observer = useRef<ResizeObserver>(undefined);
  const ref = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    const read = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    // The content box also changes with the scroll bars.
    observer.current = new ResizeObserver(read);
    observer.current.observe(element);
    read();
  }, []);
  return { ref, ...size };
}
