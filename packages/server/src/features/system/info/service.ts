import { type InfoResponse, SERVICE_NAME } from '@manager/core/contract/system/info';

/** Known facts about this process. */
export interface ProcessInfo {
  readonly version: string;
  /** ms */
  readonly startedAt: number;
  readonly demo: boolean;
}

/** State that setup found at the start. */
export type StartState = Pick<
  InfoResponse,
  'adminReady' | 'projectInitialized' | 'dataKeyReady' | 'hasHistoricalData'
> & {
  readonly status: InfoResponse['migrationStatus'];
};

export interface InfoServiceDeps {
  readonly process: ProcessInfo;
  /** From memory. */
  readonly bootstrapState: () => StartState;
  /** Whether a gateway URL and its key are set. */
  readonly connected: () => boolean;
  /** Whether anything was collected or configured by now. Called until it is true once. */
  readonly hasHistory: () => boolean;
}

export interface InfoService {
  info(): InfoResponse;
  /** A complete connection counts even if the stored state is older; without one the stored state decides. */
  configured(): boolean;
}

export function createInfoService(deps: InfoServiceDeps): InfoService {
  const configured = () => deps.connected() || deps.bootstrapState().projectInitialized;

  // The stored state is from the start. History never disappears again.
  let historical = false;

  function hasHistoricalData(state: StartState): boolean {
    historical ||= state.hasHistoricalData || deps.hasHistory();
    return historical;
  }

  return {
    configured,
    info() {
      const state = deps.bootstrapState();
      const initialised = configured();
      return {
        service: SERVICE_NAME,
        mode: 'embedded',
        startedAt: deps.process.startedAt,
        configured: initialised,
        projectInitialized: initialised,
        adminReady: state.adminReady,
        setupRequired: state.adminReady && !initialised,
        migrationStatus: state.status,
        dataKeyReady: state.dataKeyReady,
        hasHistoricalData: hasHistoricalData(state),
        version: deps.process.version,
        ...(deps.process.demo ? { demo: true } : {}),
      };
    },
  };
}
