export const palette = {
  'palette.accounts': 'Accounts',
  'palette.actions': 'Actions',
  'palette.findRequest': 'Find requests with “{{text}}”',
  'palette.keys': 'Client keys',
  'palette.loading': 'Loading',
  'palette.models': 'Models',
  'palette.nothing': 'Nothing of this name',
  'palette.openRequest': 'Open the request with this hash',
  'palette.pages': 'Pages',
  'palette.placeholder': 'Page, account, model, client key, request id',
  'palette.refreshAll': 'Refresh all',
  'palette.requests': 'Requests',
} as const;
