import { describe, expect, test } from 'bun:test';
import transcripts from '../fixtures/resp-transcripts.json';
import { PROFILE_NAMES, profileOf } from '../profiles.ts';
import { connectRaw } from '../testing/raw-client.ts';
import { simulatorStarter } from '../testing/start.ts';
import type { ProfileName, Simulator } from '../types.ts';
import { compareVersions } from '../versions.ts';

interface Step {
  readonly send?: string;
  readonly publish?: string;
  readonly refresh?: boolean;
  readonly expect?: string;
  readonly expect_regex?: string;
  readonly then?: string;
}

/** Profiles a transcript applies to; profiles with a special port have transcripts of their own. */
function profilesFor(transcript: { readonly name: string; readonly profile: string }): ProfileName[] {
  if (transcript.name === 'cluster-node') return ['home'];
  if (transcript.profile.startsWith('http-only')) return ['http-only'];
  return PROFILE_NAMES.filter((name) => {
    const profile = profileOf(name);
    if (transcript.name === 'resp-disabled') return name === 'v7.1.17';
    if (profile.resp !== 'serve') return false;
    return matchesRange(profile.version, transcript.profile);
  });
}

function matchesRange(version: string, range: string): boolean {
  const [from, to] = range.split('..');
  if (to !== undefined) return compareVersions(version, from ?? '') >= 0 && compareVersions(version, to) <= 0;
  if (range.startsWith('>=')) return compareVersions(version, range.slice(2)) >= 0;
  if (range.startsWith('<')) return compareVersions(version, range.slice(1)) < 0;
  return compareVersions(version, range) === 0;
}

const start = simulatorStarter({});

describe('RESP transcripts are answered byte for byte', () => {
  for (const transcript of transcripts) {
    for (const profile of profilesFor(transcript)) {
      test(`${transcript.name} on ${profile}`, async () => {
        const running = await start({ profile, clock: 'controlled', managementKey: 'sim-management-key' });
        if (transcript.name === 'banned') await banCaller(running);
        const queued: readonly string[] = 'queue' in transcript ? (transcript.queue ?? []) : [];
        for (const event of queued) await running.publish(event);
        const client = await connectRaw(running);
        for (const step of transcript.steps as readonly Step[]) {
          if (step.send !== undefined) client.send(step.send);
          if (step.publish !== undefined) await running.publish(step.publish);
          if (step.refresh === true) await running.refresh();
          if (step.expect_regex !== undefined) {
            const answer = await client.read(
              '-ERR IP banned due to too many failed attempts. Try again in 30m0s\r\n'.length,
            );
            expect(answer).toMatch(new RegExp(step.expect_regex));
          }
          if (step.expect !== undefined) expect(await client.read(Buffer.byteLength(step.expect))).toBe(step.expect);
          if (step.then === 'close') await client.closed();
        }
        await Bun.sleep(5);
        expect(client.waiting()).toBe(0);
        client.end();
      });
    }
  }
});

async function banCaller(running: Simulator): Promise<void> {
  const client = await connectRaw(running);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    client.send('*2\r\n$4\r\nAUTH\r\n$4\r\nnope\r\n');
    await client.read('-ERR invalid management key\r\n'.length);
  }
  client.end();
}

test('every transcript has a profile', () => {
  expect(transcripts.filter((transcript) => profilesFor(transcript).length === 0)).toEqual([]);
});
