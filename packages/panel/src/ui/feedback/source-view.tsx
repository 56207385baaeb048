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
  /** Flat blocks in the size of what will come. */
  readonly loading: ReactNode;
  readonly errorTitle: string;
  /** What the failure does not touch. */
  readonly errorScope?: string | undefined;
  /** Given where an older server may not have it. */
  readonly unsupported?: StateText | undefined;
  /** Draws what is there; what "empty" is, only it knows. */
  readonly children: (data: T) => ReactNode;
}

/** Loading, failed, not supported, or the data. That data are old is said at the head of the panel: `SourceAge`. */
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

/** Pill for the head of a panel: shown when the data on screen are older than the last try. */
export function SourceAge({ source }: { readonly source: DataSource<unknown> }) {
  if (source.data === undefined || source.error === null || source.atMs === null) return null;
  return <StaleBadge atMs={source.atMs} error={source.error} />;
}
