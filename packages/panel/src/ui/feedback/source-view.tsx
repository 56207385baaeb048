import type { ReactNode } from 'react';
import { type DataSource, isUnsupported } from '../../platform/api/data-source.ts';
import { ErrorState, StaleBadge, UnsupportedState } from './states.tsx';

interface StateText {
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

interface SourceViewProps<T> {
  readonly source: DataSource<T>;
  /** Placeholders in the size of the content. */
  readonly loading: ReactNode;
  readonly errorTitle: string;
  /** What the failure does not affect. */
  readonly errorScope?: string | undefined;
  /** Given where an older server may not have it. */
  readonly unsupported?: StateText | undefined;
  /** Draws the data; also decides what "empty" means. */
  readonly children: (data: T) => ReactNode;
}

/** Loading, failed, not supported, or the data. The age of old data is shown in the panel's header: `SourceAge`. */
export function SourceView<T>({ source, loading, errorTitle, errorScope, unsupported, children }: SourceViewProps<T>) {
  if (source.data !== undefined) return children(source.data);
  if (source.error === null) return loading;
  if (unsupported !== undefined && isUnsupported(source.error)) return <UnsupportedState {...unsupported} />;
  return (
    <ErrorState
      title={errorTitle}
      error={source.error}
      onRetry={source.retry}
      {...(errorScope === undefined ? {} : { scope: errorScope })}
    />
  );
}

/** Pill in a panel's header: shown when the data are older than the last attempt. */
export function SourceAge({ source }: { readonly source: DataSource<unknown> }) {
  if (source.data === undefined || source.error === null || source.atMs === null) return null;
  return <StaleBadge atMs={source.atMs} error={source.error} />;
}
