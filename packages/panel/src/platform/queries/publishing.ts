import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../api/services.ts';

/** The gateway applies a change after its answer; then the manager looks at once. */
const LOOKS_MS = [0, 1_000, 3_000];

/** Turns on the gateway's usage statistics, so that it publishes events. */
export function useEnablePublishing() {
  const { manager } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => manager.enableUsageStatistics(),
    onSuccess: () => {
      for (const afterMs of LOOKS_MS) {
        setTimeout(() => void queries.invalidateQueries({ queryKey: ['status'] }), afterMs);
      }
      return Promise.all([
        queries.invalidateQueries({ queryKey: ['upstream'] }),
        queries.invalidateQueries({ queryKey: ['config'] }),
      ]);
    },
  });
}
