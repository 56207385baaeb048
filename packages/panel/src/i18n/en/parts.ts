/** Texts of the shared parts: tables, dialogs, files. */
export const parts = {
  'dialog.typeWord': 'Type {{word}} to confirm',
  'export.csv': 'Save as CSV',
  'export.csvMark': 'Save as CSV for spreadsheets',
  'export.json': 'Save as JSON',
  'export.open': 'Export',
  'export.rows_one': '{{rows}} row',
  'export.rows_other': '{{rows}} rows',
  'export.unmaskedSave': 'Save',
  'export.unmaskedText':
    'Masking is off, so the file holds names, addresses and hashes in full. This is asked once in this tab.',
  'export.unmaskedTitle': 'Save without masking',
  'grid.ascending': '{{column}}, ascending',
  'grid.descending': '{{column}}, descending',
  'grid.fold': 'Parts of {{name}}',
  'grid.select': 'Select {{name}}',
  'grid.selectAll': 'Select all',
  'grid.sort': 'Sort',
  'grid.sortedBy': 'Sort: {{column}}',
  'table.loading': 'Loading',
} as const;
