import { type RefObject, useLayoutEffect, useRef } from 'react';

/** The newest value, for handlers that stay the same objects while it changes. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
