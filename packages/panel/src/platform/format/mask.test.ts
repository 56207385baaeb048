import { describe, expect, test } from 'bun:test';
import { createMasker, maskFile, maskIp, maskKey, maskMiddle, maskSource, maskText, PLAIN } from './mask.ts';

describe('masking', () => {
  test.each([
    ['ops@example.com', 'ops***@example.com'],
    ['a@example.com', 'a***@example.com'],
    ['limit of ops.team@example.com reached', 'limit of ops***@example.com reached'],
    ['key sk-ant-1234567890abcdef is bad', 'key sk-a…cdef is bad'],
    ['from 203.0.113.7', 'from 203.0.*.*'],
    ['claude-sonnet-4.5', 'claude-sonnet-4.5'],
    ['', ''],
  ])('text %p becomes %p', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  test('files keep their kind and the first letters of the account', () => {
    expect(maskFile('claude-ops@example.com.json')).toBe('claude-ops***.json');
    expect(maskFile('vertex-project.json')).toBe('vertex-project.json');
  });

  test('keys, addresses and ids keep their ends', () => {
    expect(maskKey('sk-c0123456789041ae')).toBe('sk-c…41ae');
    expect(maskKey('short')).toBe('sh…');
    expect(maskIp('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2:*');
    expect(maskMiddle('my-long-project-id')).toBe('my-l***t-id');
  });

  test.each([
    ['ops@example.com', 'ops***@example.com'],
    ['ops***@example.com', 'ops***@example.com'],
    ['provider-key-0001', 'prov…0001'],
    ['m:abcd...wxyz', 'm:abcd...wxyz'],
  ])('source %p becomes %p', (source, masked) => {
    expect(maskSource(source)).toBe(masked);
  });

  test('the same input has the same mask, two inputs with one mask are numbered', () => {
    const masker = createMasker();
    expect(masker.account('opsteam@example.com')).toBe('ops***@example.com');
    expect(masker.account('opsguild@example.com')).toBe('ops***@example.com (2)');
    expect(masker.account('opsteam@example.com')).toBe('ops***@example.com');
  });

  test('nothing stays nothing', () => {
    expect(createMasker().project('')).toBe('');
    expect(createMasker().account('')).toBe('');
  });

  test('plain shows everything', () => {
    expect(PLAIN.account('ops@example.com')).toBe('ops@example.com');
    expect(PLAIN.on).toBe(false);
  });
});
