import { describe } from 'bun:test';
import { storedText } from '../accounts/api-call.ts';
import { type LogDetail, redactedLogDetail } from '../accounts/inspection/log.ts';
import { redactedJson } from '../usage/raw-json.ts';
import { sanitizeFailureText } from './redact.ts';
import { testRedaction } from './testing/cases.ts';

describe('events', () =>
  testRedaction({
    value: (value) => redactedJson(value).text,
    // Everything else that a gateway sends stays as it is, except keys, which are known by their form.
    text: (text) => JSON.parse(redactedJson({ fail: { body: text } }).text).fail.body,
  }));

describe('failure texts', () =>
  testRedaction({ value: (value) => sanitizeFailureText(JSON.stringify(value)), text: sanitizeFailureText }));

describe('answers about accounts and their files', () =>
  testRedaction({ value: (value) => storedText(JSON.stringify(value)), text: storedText }));

describe('details of an inspection', () =>
  testRedaction({
    value: (value) => JSON.stringify(redactedLogDetail(value as LogDetail)),
    text: (text) => String(redactedLogDetail({ message: text }).message),
  }));
