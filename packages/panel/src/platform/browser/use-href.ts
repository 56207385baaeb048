import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Addresses for plain `<a>` elements, where a row or a mark is the link. */
export function useHref(): (to: NavigateOptions) => string {
  const router = useRouter();
  return useCallback((to) => router.history.createHref(router.buildLocation(to).href), [router]);
}
