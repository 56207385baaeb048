export const palette = {
  'palette.accounts': 'Accounts',
  'palette.actions': 'Actions',
  'palette.findRequest': 'Find requests with “{{text}}”',
  'palette.keys': 'Client keys',
  'palette.loading': 'Loading',
  'palette.models': 'Models',
  'palette.nothing': 'No results',
  'palette.openRequest': 'Open request with this hash',
  'palette.pages': 'Pages',
  'palette.placeholder': 'Page, account, model, client key, request ID',
  'palette.refreshAll': 'Refresh all',
  'palette.requests': 'Requests',
} as const;
