import { startTransition, useEffect, useRef, useState } from 'react';

/** A value that changes in bursts: the first change is drawn at once, those that follow at most every `ms`. */
export function useThrottled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value);
  const drawnAt = useRef(0);
  useEffect(() => {
    const draw = () => {
      drawnAt.current = performance.now();
      // Keys that are pressed meanwhile come first.
      startTransition(() => setShown(() => value));
    };
    const wait = drawnAt.current + ms - performance.now();
    if (wait <= 0) return draw();
    const timer = setTimeout(draw, wait);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return shown;
}
