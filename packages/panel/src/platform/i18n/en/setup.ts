export const setup = {
  'setup.adminKeyHint': 'Printed once, in the first start log of the manager. A generated key begins with `mgr_`.',
  'setup.adminKeyMissing': 'Enter the admin key.',
  'setup.adminKeyWarning': 'This looks like the admin key of the manager. Enter the management key of the gateway.',
  'setup.advanced': 'Advanced: queue, batch size, TLS',
  'setup.batchSize': 'Batch size',
  'setup.checking': 'Checking',
  'setup.choiceHost': 'manager in a container, gateway on the same host',
  'setup.choiceNative': 'both on this machine',
  'setup.choiceNetwork': 'both in one container network',
  'setup.databaseEmpty': 'Database empty, ready',
  'setup.databaseFilled': 'Database with history, ready',
  'setup.databaseNoKey': 'Database with history, management key lost',
  'setup.doneText': 'Sign in with the admin key. You can change the connection in the settings.',
  'setup.doneTitle': 'The manager is already set up',
  'setup.envManaged':
    'URL and key are set by the environment of the manager and can only be changed there. Sign in with the admin key.',
  'setup.envTitle': 'The environment sets the connection',
  'setup.failAdminAsManagement':
    'This is the admin key of the manager. Enter the management key of the gateway: the value of `remote-management.secret-key` in its configuration.',
  'setup.failAdminKey':
    'The admin key is wrong. Find it in the first start log of the manager. Lost? Stop the manager, run `manager-server reset-admin-key`, start it again.',
  'setup.failBanned':
    'The gateway banned the address of the manager after too many wrong keys. Wait 30 min or restart the gateway, then save the right key once.',
  'setup.failBannedUntil':
    'The gateway banned the address of the manager after too many wrong keys, until {{until}}. Wait until then or restart the gateway, then enter the right key once.',
  'setup.failBound': 'The manager is connected to another gateway. Sign in and change URL and key in the settings.',
  'setup.failCertificate':
    'The certificate of the gateway is not trusted. Name the file of its authority in `NODE_EXTRA_CA_CERTS` and restart the manager, or skip the TLS check in the advanced fields.',
  'setup.failCertificateDates':
    'The certificate of the gateway has expired or is not valid yet. Renew it at the gateway, or correct the clock of the manager.',
  'setup.failCertificateHost':
    'The certificate of the gateway is for another host. Enter the URL with a name from the certificate, or issue a certificate for this name.',
  'setup.failClientKey':
    'This is a client key of the gateway. Enter its management key: the value of `remote-management.secret-key` in its configuration.',
  'setup.failConfig': 'The gateway did not return its configuration. Check that the URL leads to the gateway itself.',
  'setup.failConnection': 'Enter both URL and management key.',
  'setup.failKey':
    'The gateway rejects this management key. Compare it with `remote-management.secret-key` in the gateway configuration; too many wrong attempts ban the address for 30 min.',
  'setup.failKeyCharacters':
    'The management key contains a character that cannot be sent. Use only ASCII letters, digits and signs.',
  'setup.failLoop': 'This URL leads back to the manager. Enter the address of the gateway, usually port 8317.',
  'setup.failManagementOff':
    'The gateway answers, but it has no management API at this URL (404). Usual cause: no management key is set. Set `remote-management.secret-key` in its configuration and restart it. A node of a cluster has none: enter the address of the main gateway. A path in the URL may also be wrong.',
  'setup.failNoKey':
    'The gateway has no management key. Set `remote-management.secret-key` in its configuration, then save that key here.',
  'setup.failNotGateway': 'What answers at this URL is not a gateway. Check host and port; the usual port is 8317.',
  'setup.failNotHttp':
    'What answers at this URL does not speak HTTP as a gateway does. Check host and port; the usual port is 8317.',
  'setup.failPoll': 'The poll interval is longer than the gateway keeps events. Choose a shorter one.',
  'setup.failReach':
    'The gateway cannot be reached at this URL. Check that the gateway is running and that the manager can reach this address.',
  'setup.failRemote':
    'The gateway allows its management API only from its own machine. Set `remote-management.allow-remote` to true in its configuration, or use its local address.',
  'setup.failRetention': 'The gateway keeps events for 0 s. Set its usage queue retention above 0.',
  'setup.failSameKey':
    'The gateway rejected this key at this URL before, so it was not sent again: too many rejected keys ban the manager. Enter another key. If you have just set this key at the gateway, save it again in {{minutes}} min.',
  'setup.failSpeaksPlain': 'The gateway does not speak TLS on this port. Change the URL to `http://`.',
  'setup.failSpeaksTls': 'The gateway speaks TLS on this port. Change the URL to `https://`.',
  'setup.failStatistics':
    'The gateway did not turn on usage statistics. Turn them on in its configuration, or continue without: then nothing is collected.',
  'setup.failTemplateKeys':
    'The gateway still has the example client keys of its template (`api-keys`) and refuses every request. Replace them in its configuration, then continue.',
  'setup.failTls':
    'The TLS handshake with the gateway failed. Check its TLS settings: TLS 1.2 or later, usual ciphers, and no mutual TLS, which the manager does not support.',
  'setup.finish': 'Save and start',
  'setup.goWithout': 'Continue without',
  'setup.introAdminKey': 'The key of this manager, not of the gateway.',
  'setup.introCollection': 'What the manager records.',
  'setup.introManagementKey':
    'The value of `remote-management.secret-key` in the gateway configuration. It is stored encrypted and never shown again.',
  'setup.introPoll': 'How often the manager reads the queue when it cannot subscribe.',
  'setup.introReview': 'This step tests everything once more. If anything fails, nothing is saved.',
  'setup.introUpstream': 'The address at which the manager reaches the gateway.',
  'setup.keyLost':
    'The stored management key cannot be read, because `data.key` is missing. History is complete; only the connection must be saved again.',
  'setup.loopWarning':
    'This is the address of this page, so the manager would call itself. Enter the address of the gateway.',
  'setup.managementKey': 'Management key',
  'setup.managementKeyHint': 'Checked when you continue. Nothing is saved yet.',
  'setup.managementKeyMissing': 'Enter the management key.',
  'setup.mode': 'Mode',
  'setup.monitoring': 'Request monitoring',
  'setup.monitoringHint':
    'Collects an event for every request. When off, the connection stays and nothing is recorded.',
  'setup.nothingSaved': 'Nothing is saved before the last step',
  'setup.pollHint': 'From 1 to {{most}} ms: no longer than the gateway keeps events.',
  'setup.pollLabel': 'Poll interval',
  'setup.popLeft': 'Left',
  'setup.popRight': 'Right',
  'setup.popSide': 'Pop side',
  'setup.queryLimit': 'Query limit',
  'setup.queue': 'Queue',
  'setup.saving': 'Testing and saving the connection',
  'setup.statistics': 'Usage statistics of the gateway',
  'setup.statisticsHint': 'Turns them on at the gateway. Without them no events are published.',
  'setup.stepAdminKey': 'Admin key',
  'setup.stepCollection': 'Collection',
  'setup.stepManagementKey': 'Management key',
  'setup.stepOf': 'Step {{step}} of {{steps}}',
  'setup.stepPoll': 'Poll interval',
  'setup.stepReview': 'Review',
  'setup.stepUpstream': 'Gateway',
  'setup.title': 'First-time setup',
  'setup.titleAdminKey': 'Admin key of the manager',
  'setup.titleCollection': 'Collection',
  'setup.titleManagementKey': 'Management key of the gateway',
  'setup.titlePoll': 'Poll interval',
  'setup.titleReview': 'Review',
  'setup.titleUpstream': 'Address of the gateway',
  'setup.tlsSkip': 'Skip TLS check',
  'setup.triesLeft': 'Rejected keys until the gateway bans the manager for 30 min: {{tries}}.',
  'setup.url': 'Gateway URL',
  'setup.urlChoices': 'Usual addresses',
  'setup.urlHint': 'With scheme and port, without path.',
  'setup.urlInvalid':
    'Enter an address that begins with `http://` or `https://`, without spaces, user name or password.',
  'setup.urlMissing': 'Enter the address.',
} as const;
