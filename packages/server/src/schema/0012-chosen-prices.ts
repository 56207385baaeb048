/** Prices whose catalogue entry a person chose; a sync keeps that entry. */
export const chosenPrices = {
  name: '0012-chosen-prices',
  sql: `
ALTER TABLE model_prices
ADD COLUMN chosen INTEGER NOT NULL DEFAULT 0;
`,
} as const;
