export const signIn = {
  'signIn.address': 'Address',
  'signIn.answer': 'Response: {{text}}',
  'signIn.banned': 'Too many wrong keys: the gateway blocks this browser for a while. Wait, then try again.',
  'signIn.checking': 'Checking',
  'signIn.forgetHint': 'The key is kept until you close this tab.',
  'signIn.gatewayModeLine':
    'This page is served by the gateway and needs its management key. History and cost need the manager.',
  'signIn.gatewayNotFound':
    'No management API at this address. To enable it, set `remote-management.secret-key` in the gateway configuration.',
  'signIn.gatewayUnreachable':
    'The gateway cannot be reached at this address, or it does not allow requests from other sites. An https page cannot call an http address.',
  'signIn.gatewayWrongKey': 'The management key is wrong.',
  'signIn.gatewayWrongKind':
    'The key is wrong. Enter the management key of the gateway, not the admin key of a manager.',
  'signIn.key': 'Admin key',
  'signIn.keyHint': 'Lost? Stop the manager, run `manager-server reset-admin-key`, start it again.',
  'signIn.locked': 'Locked after inactivity. Enter the key to continue; uploads and downloads keep running.',
  'signIn.modeLine':
    'Enter the admin key of the manager. It is printed once, in the first start log; a generated key begins with `mgr_`.',
  'signIn.network': 'The server cannot be reached. Check that it is running and that the address is right.',
  'signIn.notFound': 'No management API at this address.',
  'signIn.notSetUp': 'The manager is not set up yet.',
  'signIn.remember': 'Remember sign-in',
  'signIn.rememberDays_one': '{{count}} day',
  'signIn.rememberDays_other': '{{count}} days',
  'signIn.rememberFor': 'Remember for',
  'signIn.rememberWarning':
    'The key is stored in this browser. Every script and user of this browser profile can read it.',
  'signIn.remoteOff':
    'Remote access is denied. Turn on remote management at the server (allow-remote), or check the proxy.',
  'signIn.server': 'The server or a proxy in front of it failed. See its log.',
  'signIn.submit': 'Sign in',
  'signIn.timeout': 'The server did not respond within 30 s.',
  'signIn.title': 'Sign in',
  'signIn.tooMany': 'Too many wrong keys. Wait a minute, then try again.',
  'signIn.tooManyWait': 'Too many wrong keys. Try again in {{seconds}} s.',
  'signIn.wrongKey': 'The admin key is wrong.',
  'signIn.wrongKind': 'The key is wrong. Enter the admin key of the manager, not the management key of the gateway.',
} as const;
