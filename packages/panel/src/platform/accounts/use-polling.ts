import type { Query } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { isUnsupported } from '../api/data-source.ts';
import { pollPause } from '../api/poll.ts';

export const MINUTE_MS = 60_000;
const everyMinute = (): number => MINUTE_MS;

/** Polls every minute, ±10 %, and on return to the tab when due; stops where the server does not know the endpoint. */
export function usePolling(intervalOf: (data: unknown) => number = everyMinute) {
  const [spread] = useState(() => 0.9 + 0.2 * Math.random());
  return useMemo(
    () => ({
      staleTime: <T>({ state }: Query<T>) => intervalOf(state.data) / 2,
      refetchOnWindowFocus: true,
      refetchInterval: <T>({ state }: Query<T>) =>
        isUnsupported(state.error) ? (false as const) : Math.round(pollPause(state, intervalOf(state.data)) * spread),
    }),
    [intervalOf, spread],
  );
}
