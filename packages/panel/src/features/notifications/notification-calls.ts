import { NOTIFICATIONS_PATH } from '@manager/core/contract/notifications/kinds';
import type {
  NotificationLogResponse,
  NotificationSettings,
  NotificationsResponse,
  NotificationTargetResponse,
  NotificationTestResponse,
  TargetRequest,
} from '@manager/core/contract/notifications/targets';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { pollPause } from '../../platform/api/poll.ts';
import { useServices } from '../../platform/api/services.ts';

const KEY = ['notifications'];
const LIST_KEY = [...KEY, 'list'];
const LOG_KEY = [...KEY, 'log'];
const POLL_MS = 30_000;
/** A mail server may take its time. */
const TEST_TIMEOUT_MS = 60_000;

/** Targets and settings. */
export function useNotifications() {
  const { client } = useServices();
  return useQuery({
    queryKey: LIST_KEY,
    queryFn: ({ signal }) => client.call<NotificationsResponse>(NOTIFICATIONS_PATH, { signal }),
    refetchInterval: ({ state }) => (isUnsupported(state.error) ? false : pollPause(state, POLL_MS)),
  });
}

/** What was sent, newest first. */
export function useNotificationLog() {
  const { client } = useServices();
  return useQuery({
    queryKey: LOG_KEY,
    queryFn: ({ signal }) => client.call<NotificationLogResponse>(`${NOTIFICATIONS_PATH}/log`, { signal }),
    refetchInterval: ({ state }) => pollPause(state, POLL_MS),
  });
}

/** Reads everything of the page again. */
export function useRefreshNotifications(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: KEY });
}

/** Every change shows in the list and in the log. */
function useChange<Input, Output>(send: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: send, onSettled: () => queries.invalidateQueries({ queryKey: KEY }) });
}

export function useSaveTarget() {
  const { client } = useServices();
  return useChange(({ id, request }: { readonly id: string | null; readonly request: TargetRequest }) =>
    client.call<NotificationTargetResponse>(`${NOTIFICATIONS_PATH}/targets${id === null ? '' : `/${id}`}`, {
      method: id === null ? 'POST' : 'PUT',
      body: request,
    }),
  );
}

export function useRemoveTarget() {
  const { client } = useServices();
  return useChange((id: string) => client.call(`${NOTIFICATIONS_PATH}/targets/${id}`, { method: 'DELETE' }));
}

export function useTestTarget() {
  const { client } = useServices();
  return useChange((id: string) =>
    client.call<NotificationTestResponse>(`${NOTIFICATIONS_PATH}/targets/${id}/test`, {
      method: 'POST',
      timeoutMs: TEST_TIMEOUT_MS,
    }),
  );
}

export function useSaveNotificationSettings() {
  const { client } = useServices();
  return useChange((settings: NotificationSettings) =>
    client.call<NotificationSettings>(`${NOTIFICATIONS_PATH}/settings`, { method: 'PUT', body: settings }),
  );
}
