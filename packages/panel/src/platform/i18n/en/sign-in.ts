export const signIn = {
  'signIn.address': 'Address',
  'signIn.answer': 'Answer: {{text}}',
  'signIn.banned': 'Too many wrong keys: the gateway refuses this browser for a while.',
  'signIn.checking': 'Checking',
  'signIn.forgetHint': 'The key is kept until this tab closes.',
  'signIn.gatewayModeLine':
    'The gateway itself serves this page and wants its management key. There is no history and no cost here: those need the manager.',
  'signIn.gatewayNotFound':
    'There is no management API at this address. A gateway has none until `remote-management.secret-key` is set in its configuration.',
  'signIn.gatewayUnreachable':
    'The gateway cannot be reached at this address, or it forbids pages of other addresses to ask it. A page from https cannot ask an http address.',
  'signIn.gatewayWrongKey': 'The management key is wrong.',
  'signIn.gatewayWrongKind':
    'The key is wrong. The management key of the gateway is expected here, not the admin key of a manager.',
  'signIn.key': 'Admin key',
  'signIn.keyHint': 'Lost: stop the manager, run `manager-server reset-admin-key`, start it again.',
  'signIn.locked':
    'Locked, because nobody was here for a while. The key opens the page again; uploads and downloads run on.',
  'signIn.modeLine':
    'This server wants the admin key of the manager: printed once in its first start log, begins with `mgr_` when generated.',
  'signIn.network': 'The server cannot be reached. Check that it runs and that this address is right.',
  'signIn.notFound': 'There is no management API at this address.',
  'signIn.notSetUp': 'The manager is not set up yet.',
  'signIn.remember': 'Remember the sign-in',
  'signIn.rememberDays_one': '{{count}} day',
  'signIn.rememberDays_other': '{{count}} days',
  'signIn.rememberFor': 'Remember for',
  'signIn.rememberWarning':
    'The key is stored in this browser. Every script and user of this browser profile can read it.',
  'signIn.remoteOff':
    'Access from outside is refused. Remote management is off at the server (allow-remote), or a proxy forbids it.',
  'signIn.server': 'The server or a proxy in front of it met an error. Its log has the details.',
  'signIn.submit': 'Sign in',
  'signIn.timeout': 'The server did not answer within 30 s.',
  'signIn.title': 'Sign in',
  'signIn.tooMany': 'Too many wrong keys. Wait a minute, then try again.',
  'signIn.tooManyWait': 'Too many wrong keys. The next try is accepted in {{seconds}} s.',
  'signIn.wrongKey': 'The admin key is wrong.',
  'signIn.wrongKind':
    'The key is wrong. The admin key of the manager is expected here, not the management key of the upstream.',
} as const;
