import { describe, expect, test } from 'bun:test';
import { sessionOf } from './testing/sessions.ts';
import type { UploadProblem } from './upload/problem.ts';
import { IDLE, type UploadPhase, type UploadState } from './upload/state.ts';
import { chipView, uploadView } from './upload-view.ts';

const PROBLEM: UploadProblem = { kind: 'network', message: '', status: 0, hop: null, resumable: true };
const half = sessionOf({});
const whole = (status: string) => sessionOf({ status, received_bytes: 1_000 });
const at = (phase: UploadPhase, about: Partial<UploadState> = {}): UploadState => ({ ...IDLE, phase, ...about });

const bar = ({ state, percent }: { readonly state: string; readonly percent: number | null }) =>
  percent === null ? state : `${state} ${percent}`;

describe('the two bars', () => {
  test.each([
    ['before there is a session', at('preparing'), 'running', 'waiting'],
    ['while the beginning is compared', at('hashing', { session: half }), 'running 40', 'waiting'],
    ['while it is sent', at('uploading', { session: half }), 'running 40', 'waiting'],
    ['in one request', at('uploading'), 'running', 'waiting'],
    ['in a pause', at('paused', { session: half }), 'halted 40', 'waiting'],
    ['while another tab sends', at('watching', { session: half }), 'running 40', 'waiting'],
    ['while another tab waits', at('watching', { session: whole('processing') }), 'done 100', 'running'],
    ['before the import', at('processing', { session: whole('ready') }), 'done 100', 'waiting'],
    ['during the import', at('processing', { session: whole('processing') }), 'done 100', 'running'],
    ['after it', at('completed', { session: whole('completed') }), 'done 100', 'done 100'],
    ['after one request', at('completed'), 'done 100', 'done 100'],
    ['of a file that was refused', at('failed', { problem: { ...PROBLEM, kind: 'empty_file' } }), 'waiting', 'waiting'],
    ['of an import that failed', at('failed', { session: whole('failed') }), 'done 100', 'halted'],
    ['of one that is cancelled', at('cancelling', { session: half }), 'halted 40', 'waiting'],
  ])('%s', (_, state, upload, processing) => {
    const view = uploadView(state, 40);
    expect([bar(view.upload), bar(view.processing)]).toEqual([upload, processing]);
  });
});

test('a resumable upload is stopped, any other has failed', () => {
  expect(uploadView(at('failed', { problem: PROBLEM }), 0)).toMatchObject({ tone: 'warn', word: 'transfer.stopped' });
  const problem = { ...PROBLEM, resumable: false };
  expect(uploadView(at('failed', { problem }), 0)).toMatchObject({ tone: 'bad', word: 'transfer.failed' });
});

test('nothing is called imported that was not', () => {
  const result = { format: 'usage_service_jsonl', added: 0, skipped: 0, total: 0, failed: 2, unsupported: 0 } as const;
  const word = (about: object) => uploadView(at('completed', { result: { ...result, warnings: [], ...about } }), 100);
  expect(word({ added: 1, failed: 0 })).toMatchObject({ tone: 'ok', word: 'transfer.completed' });
  expect(word({ added: 1 })).toMatchObject({ tone: 'warn', word: 'transfer.completed' });
  expect(word({ skipped: 3, failed: 0 })).toMatchObject({ tone: 'ok', word: 'transfer.known' });
  expect(word({})).toMatchObject({ tone: 'bad', word: 'transfer.nothing' });
  expect(chipView(at('completed', { result: { ...result, warnings: [] } }), 100)?.text).toBe('transferChip.nothing');
});

test('the header speaks of an upload that runs, rests or needs somebody', () => {
  const text = (state: UploadState) => chipView(state, 40)?.text ?? null;
  expect(text(IDLE)).toBeNull();
  expect(text(at('cancelled'))).toBeNull();
  expect(text(at('uploading', { session: half }))).toBe('transferChip.uploading');
  expect(text(at('watching', { session: whole('processing') }))).toBe('transferChip.processing');
  expect(text(at('processing', { session: whole('processing') }))).toBe('transferChip.processing');
  expect(chipView(at('processing', { session: whole('processing') }), 100)?.percent).toBeNull();
  expect(chipView(at('uploading', { session: whole('ready') }), 100)?.percent).toBeNull();
  expect(text(at('paused'))).toBe('transferChip.paused');
  expect(chipView(at('failed', { problem: PROBLEM }), 40)).toMatchObject({ tone: 'warn' });
  expect(text(at('completed'))).toBe('transferChip.done');
  expect(text(at('failed', { problem: { ...PROBLEM, resumable: false } }))).toBe('transferChip.failed');
});
