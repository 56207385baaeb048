export const signIn = {
  'signIn.address': 'Address',
  'signIn.answer': 'Answer: {{text}}',
  'signIn.checking': 'Checking',
  'signIn.forgetHint': 'The key is kept until this tab closes.',
  'signIn.key': 'Admin key',
  'signIn.keyHint': 'Lost: stop the manager, run `manager-server reset-admin-key`, start it again.',
  'signIn.locked':
    'Locked, because nobody was here for a while. The admin key opens the page again; uploads and downloads run on.',
  'signIn.modeLine':
    'This server wants the admin key of the manager: printed once in its first start log, begins with `mgr_` when generated.',
  'signIn.network': 'The manager cannot be reached. Check that it runs and that this address is right.',
  'signIn.notFound': 'There is no management API at this address.',
  'signIn.notSetUp': 'The manager is not set up yet.',
  'signIn.remember': 'Remember for {{days}} days',
  'signIn.rememberWarning':
    'The key is stored in this browser. Every script and user of this browser profile can read it.',
  'signIn.remoteOff':
    'Access from outside is refused. Remote management is off at the server (allow-remote), or a proxy forbids it.',
  'signIn.server': 'The manager or a proxy in front of it met an error. Its log has the details.',
  'signIn.submit': 'Sign in',
  'signIn.timeout': 'The manager did not answer within 30 s.',
  'signIn.title': 'Sign in',
  'signIn.tooMany': 'Too many wrong keys. Wait a minute, then try again.',
  'signIn.tooManyWait': 'Too many wrong keys. The next try is accepted in {{seconds}} s.',
  'signIn.wrongKey': 'The admin key is wrong.',
  'signIn.wrongKind':
    'The key is wrong. The admin key of the manager is expected here, not the management key of the upstream.',
} as const;
