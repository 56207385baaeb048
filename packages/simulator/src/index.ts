export {
  type AccountFileOptions,
  accountFile,
  makeAccountFiles,
  type SharedFileOptions,
  sharedFile,
} from './accounts/account-files.ts';
export type * from './accounts/account-types.ts';
export type * from './accounts/api-call-types.ts';
export type * from './accounts/auth-file-spec.ts';
export type * from './accounts/event-types.ts';
export { accountIdOf, type IdTokenForm, jwtOf } from './accounts/id-token.ts';
export { callSimulator, type SimulatorClient, simulatorClient } from './control/client.ts';
export {
  backfillEvents,
  type DemoTime,
  type HistoryOptions,
  publishHistory,
  requestsPerMinute,
  startDemoTraffic,
} from './demo.ts';
export { demoAccounts } from './demo-accounts.ts';
export { authFilesOf, type EventAccount, makeAccounts } from './events/accounts.ts';
export { type AwkwardEvent, awkwardEvents, eventWith, largeEvent } from './events/awkward.ts';
export { type EventGenerator, type MakeEventsOptions, makeEvents } from './events/make-events.ts';
export type * from './faults/fault-types.ts';
export type { JsonObject, JsonValue } from './json.ts';
export type * from './management/activity-types.ts';
export type * from './management/call-kinds.ts';
export { PROFILE_NAMES, profileOf } from './profiles.ts';
export { startSimulator } from './simulator.ts';
export type * from './types.ts';
