import {
  type InspectionLogMessage,
  inspectionLogKey,
  type XAI_LOG_COMPLETE,
  type XAI_LOG_MISSING_AUTH_INDEX,
} from '@manager/core/accounts/inspection/log';

/** A message of the log of a run: its short name, or the whole key if it has a different prefix. */
export type LogMessage = InspectionLogMessage | typeof XAI_LOG_COMPLETE | typeof XAI_LOG_MISSING_AUTH_INDEX;

/** The stored translation key. */
export function logMessageKey(message: LogMessage): string {
  return isWholeKey(message) ? message : inspectionLogKey(message);
}

function isWholeKey(message: LogMessage): message is Exclude<LogMessage, InspectionLogMessage> {
  return message.startsWith('monitoring.');
}
