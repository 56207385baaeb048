import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInPrice } from '@manager/core/pricing/model-families';

// Renews the prices that come with the program:
//   node scripts/run.mjs built-in-prices FOLDER DATE
// FOLDER: the unpacked npm package @earendil-works/pi-ai (`npm pack`), which carries the models.dev catalogue by provider;
// DATE: the day on which that version was published, such as 2026-11-20.

const [folder, published] = process.argv.slice(2);
if (folder === undefined || published === undefined) throw new Error('usage: built-in-prices FOLDER DATE');

const TARGET = join(import.meta.dir, '../../packages/server/src/features/prices/built-in/prices.json');

interface CatalogueRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

interface CatalogueModel {
  readonly id: string;
  readonly type: string;
  readonly cost: CatalogueRates & {
    readonly tiers?: readonly (CatalogueRates & { readonly inputTokensAbove: number })[];
  };
}

/** The makers' own lists take precedence: gateways report these ids. */
const MAKERS: readonly (readonly [provider: string, ids: RegExp])[] = [
  ['openai', /^(?:gpt|o\d|chat)/],
  ['anthropic', /^claude/],
  ['google', /^gemini/],
  ['xai', /^grok/],
  ['deepseek', /^deepseek/],
  ['mistral', /^(?:codestral|devstral|magistral|ministral|mistral|open-mistral|pixtral|voxtral)/],
  ['moonshotai', /^kimi/],
  ['kimi-coding', /^k/],
  ['zai', /^glm/],
  ['minimax', /^MiniMax/],
  ['xiaomi', /^mimo/],
  ['meta', /^muse/],
];

/** Models whose makers have no list in the catalog, at a reseller's price; variants (`:free`, `:batch`) are left out. */
const RESELLER = 'openrouter';
const RESOLD =
  /^(?:qwen\/qwen|amazon\/nova|meta-llama\/llama-(?:3\.3|4)|openai\/gpt-(?:oss-\d|5\.1-codex-max|5\.2-codex)|z-ai\/glm-(?:4\.[56]|5(?:\.1)?$)|moonshotai\/kimi-k2|deepseek\/deepseek-(?:chat$|v3\.2$|v4)|x-ai\/grok|xiaomi\/mimo)[^:]*$/;
/** Names that differ between reseller and maker. */
const RENAMED: Readonly<Record<string, readonly string[]>> = {
  'anthropic/claude-opus-4.1': ['claude-opus-4-1', 'claude-opus-4-1-20250805'],
  'minimax/minimax-m2.5': ['MiniMax-M2.5'],
};

function readCatalogue(provider: string): CatalogueModel[] {
  const groups: Record<string, Record<string, CatalogueModel>> = JSON.parse(
    readFileSync(join(folder ?? '', 'dist/providers/data', `${provider}.json`), 'utf8'),
  );
  return Object.values(groups)
    .flatMap((models) => Object.values(models))
    .filter(({ type, cost }) => type === 'chat' && (cost.input > 0 || cost.output > 0));
}

/** The package writes 0 for cache prices that the catalog does not state. */
function ratesOf({ input, output, cacheRead, cacheWrite }: CatalogueRates) {
  return { input, output, ...(cacheRead > 0 ? { cacheRead } : {}), ...(cacheWrite > 0 ? { cacheWrite } : {}) };
}

const models: Record<string, object> = {};

function add(name: string, provider: string, { id, cost }: CatalogueModel): void {
  // Families have prices of their own, whether a model has a row or not.
  if (name in models || builtInPrice(name) !== null) return;
  const tiers = (cost.tiers ?? []).map((tier) => ({ above: tier.inputTokensAbove, ...ratesOf(tier) }));
  models[name] = { id: `${provider}/${id}`, ...ratesOf(cost), ...(tiers.length === 0 ? {} : { tiers }) };
}

for (const [provider, ids] of MAKERS) {
  for (const model of readCatalogue(provider)) if (ids.test(model.id)) add(model.id, provider, model);
}
for (const model of readCatalogue(RESELLER)) {
  const names = RENAMED[model.id] ?? (RESOLD.test(model.id) ? [model.id.slice(model.id.indexOf('/') + 1)] : []);
  for (const name of names) add(name, RESELLER, model);
}

const { name, version, license }: { name: string; version: string; license: string } = JSON.parse(
  readFileSync(join(folder, 'package.json'), 'utf8'),
);
const lines = Object.entries(models)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([model, entry]) => `    ${JSON.stringify(model)}: ${JSON.stringify(entry)}`);
const origin = { catalogue: 'models.dev', package: name, version, published, license };
writeFileSync(
  TARGET,
  `{\n  "origin": ${JSON.stringify(origin)},\n  "unit": "US dollars per 1,000,000 tokens",\n  "models": {\n${lines.join(',\n')}\n  }\n}\n`,
);
console.log(`${lines.length} models`);
