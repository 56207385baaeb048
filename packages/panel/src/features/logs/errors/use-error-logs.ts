import { useQuery } from '@tanstack/react-query';
import { pollPause } from '../../../platform/api/poll.ts';
import { useServices } from '../../../platform/api/services.ts';
import { readRequestLog } from '../../../platform/queries/request-log.ts';
import { listErrorLogs, readErrorLog } from '../logs-api.ts';

const MINUTE_MS = 60_000;

/** Logs of failed requests, and whether the gateway lists any. */
export function useErrorLogs(enabled: boolean) {
  const { client } = useServices();
  const files = useQuery({
    queryKey: ['logs', 'errors'],
    queryFn: ({ signal }) => listErrorLogs(client, signal),
    enabled,
    refetchInterval: ({ state }) => pollPause(state, MINUTE_MS),
  });
  const everyRequest = useQuery({
    queryKey: ['logs', 'every-request'],
    queryFn: ({ signal }) => readRequestLog(client, signal),
    enabled,
  });
  return { files, everyRequest };
}

/** What is open: a file of the list, or the log of a request. */
export interface OpenLog {
  readonly file: string;
  /** '' = a file is open. */
  readonly request: string;
}

export function useOpenLog({ file, request }: OpenLog) {
  const { client, manager } = useServices();
  return useQuery({
    queryKey: ['logs', 'open', file, request],
    queryFn: ({ signal }) =>
      request === '' ? readErrorLog(client, file, signal) : manager.requestLog(request, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Request bodies are dropped when they are no longer shown.
    gcTime: 0,
  });
}
