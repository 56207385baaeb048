import type { MessageTexts } from './message-texts.ts';

export const EN: MessageTexts = {
  events: {
    collector_down: {
      raised: { one: 'The collector is down since {from}', many: 'The collector is down' },
      passed: { one: 'The collector was down from {from} to {until}', many: 'The collector was down' },
      recovered: {
        one: 'Recovered: the collector runs again since {until}',
        many: 'Recovered: the collector runs again',
      },
    },
    collector_starved: {
      raised: {
        one: 'The gateway serves requests, but events do not arrive since {from}',
        many: 'The gateway serves requests, but events do not arrive',
      },
      passed: { one: 'No events arrived from {from} to {until}', many: 'For a while no events arrived' },
      recovered: { one: 'Recovered: events arrive again since {until}', many: 'Recovered: events arrive again' },
    },
    collection_gap: {
      raised: {
        one: 'Gap in collection from {from} to {to}: events of this time may be missing',
        many: '{count} gaps in collection: events may be missing',
      },
      passed: {
        one: 'Gap in collection from {from} to {to}: events of this time may be missing',
        many: '{count} gaps in collection: events may be missing',
      },
      recovered: { one: 'The gap in collection is over', many: '{count} gaps in collection are over' },
    },
    disk_low: {
      raised: { one: 'Disk space is low: {free} left ({name})', many: 'Disk space is low on {count} volumes' },
      passed: {
        one: 'Disk space was low from {from} to {until} ({name})',
        many: 'Disk space was low for a while on {count} volumes',
      },
      recovered: {
        one: 'Recovered: there is enough disk space again ({name})',
        many: 'Recovered: there is enough disk space again on {count} volumes',
      },
    },
    account_login: {
      raised: { one: 'Account {name} needs a sign-in', many: '{count} accounts need a sign-in' },
      passed: {
        one: 'Account {name} needed a sign-in from {from} to {until}',
        many: '{count} accounts needed a sign-in for a while',
      },
      recovered: {
        one: 'Recovered: account {name} needs no sign-in any more',
        many: 'Recovered: {count} accounts need no sign-in any more',
      },
    },
    quota_used_up: {
      raised: { one: 'Quota used up: {name}', many: 'Quota used up: {count} windows' },
      passed: {
        one: 'Quota was used up from {from} to {until}: {name}',
        many: 'Quota was used up for a while: {count} windows',
      },
      recovered: { one: 'Recovered: quota left again: {name}', many: 'Recovered: quota left again: {count} windows' },
    },
    quota_low: {
      raised: { one: 'Quota low: {name}, {left} left', many: 'Quota low: {count} windows' },
      passed: {
        one: 'Quota was low from {from} to {until}: {name}',
        many: 'Quota was low for a while: {count} windows',
      },
      recovered: {
        one: 'Recovered: quota no longer low: {name}',
        many: 'Recovered: quota no longer low: {count} windows',
      },
    },
    budget_passed: {
      raised: { one: 'Budget passed: {name}, {used} of {limit}', many: '{count} budgets passed' },
      passed: {
        one: 'Budget was passed until {until}: {name}, {used} of {limit}',
        many: '{count} budgets were passed for a while',
      },
      recovered: {
        one: 'Recovered: budget no longer passed: {name}',
        many: 'Recovered: {count} budgets no longer passed',
      },
    },
    archive_failed: {
      raised: { one: 'An archive run failed at {from}', many: '{count} archive runs failed' },
      passed: {
        one: 'An archive run failed at {from} and continued',
        many: '{count} archive runs failed and continued',
      },
      recovered: { one: 'Recovered: the archive run continues', many: 'Recovered: {count} archive runs continue' },
    },
    inspection_failed: {
      raised: { one: 'The account inspection failed at {from}', many: 'Account inspections failed' },
      passed: {
        one: 'The account inspection failed at {from}; the next one completed',
        many: 'Account inspections failed; the next ones completed',
      },
      recovered: {
        one: 'Recovered: the account inspection completed',
        many: 'Recovered: account inspections completed',
      },
    },
    gateway_update: {
      raised: {
        one: 'New gateway version: {name}. Running: {running}',
        many: '{count} new gateway versions',
      },
      passed: { one: 'There was a new gateway version: {name}', many: 'There were {count} new gateway versions' },
      recovered: { one: 'The gateway is up to date', many: 'The gateway is up to date' },
    },
  },
  digest: '{count} changes',
  more: 'and {count} more',
  link: 'Details: {url}',
  test: { title: 'Test message', text: 'Notifications of the manager arrive here.' },
  someAccount: '({provider})',
  someClientKey: 'a client key',
  allRequests: 'all requests',
  unknown: 'unknown',
  hours: '{value} h',
  days: '{value} d',
  minutes: '{value} min',
  resets: 'It resets {time}',
  reasons: {
    gateway_unreachable: 'The gateway cannot be reached',
    events_not_stored: 'Events cannot be stored',
    key_rejected: 'The gateway rejected the management key',
    address_banned: 'The gateway banned the address of the manager',
    remote_disabled: 'The gateway does not allow remote management',
    key_not_set: 'The gateway has no management key',
    token_revoked: 'The sign-in was revoked',
    invalid_credentials: 'The sign-in is invalid or has expired',
  },
  colon: ': ',
  listSeparator: ', ',
  sentenceSeparator: '. ',
};
