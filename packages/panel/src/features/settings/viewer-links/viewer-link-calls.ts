import type {
  ViewerLinkCreated,
  ViewerLinkRequest,
  ViewerLinksResponse,
} from '@manager/core/contract/viewer-links/links';
import { VIEWER_LINKS_PATH } from '@manager/core/contract/viewer-links/words';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../../platform/api/services.ts';

const KEY = ['viewer-links'];

export function useViewerLinks() {
  const { client } = useServices();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => client.call<ViewerLinksResponse>(VIEWER_LINKS_PATH, { signal }),
  });
}

/** The answer has the token, so it is kept in no cache. */
export function useCreateLink() {
  const { client } = useServices();
  return useChange((body: ViewerLinkRequest) =>
    client.call<ViewerLinkCreated>(VIEWER_LINKS_PATH, { method: 'POST', body }),
  );
}

export function useRevokeLink() {
  const { client } = useServices();
  return useChange((id: string) =>
    client.call<unknown>(`${VIEWER_LINKS_PATH}/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  );
}

function useChange<Input, Output>(send: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
