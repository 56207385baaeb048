import { PROCESSING_POLICY_PATH } from '@manager/core/contract/constants';
import type { PolicyField, ProcessingPolicyResponse } from '@manager/core/contract/settings/processing-policy';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/errors.ts';
import { useServices } from '../api/services.ts';

const KEY = ['processing-policy'];

/** Which automations may act on accounts. */
export function useProcessingPolicy() {
  const { client } = useServices();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => client.call<ProcessingPolicyResponse>(PROCESSING_POLICY_PATH, { signal }),
    staleTime: 60_000,
  });
}

/** Changes one setting; several changes are sent one after the other. */
export function useChangePolicy() {
  const { client } = useServices();
  const queries = useQueryClient();
  return useMutation({
    scope: { id: 'processing-policy' },
    mutationFn: ({ field, on }: { readonly field: PolicyField; readonly on: boolean }) =>
      client.call<ProcessingPolicyResponse>(PROCESSING_POLICY_PATH, { method: 'PATCH', body: { [field]: on } }),
    onSuccess: (policy) => queries.setQueryData(KEY, policy),
    // It may have become locked, or the answer was lost.
    onError: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function isPolicyLocked(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'account_processing_policy_env_locked';
}
