import { compareCodePoints } from '@manager/core/json/text';
import { RECORD_PROBLEMS } from '@manager/core/usage/import-problems';
import { readElements } from './elements.ts';
import { Cursor, type PayloadInput, RangeSource } from './input.ts';
import type { ReadItem } from './payload-item.ts';
import type { IndexedEndpoint } from './snapshot-index.ts';

const READ_BYTES = 256 * 1024;

/**
 * The details of a snapshot in the order on which their identities depend: endpoints and models by the code points of their
 * names, details in file order.
 */
export function* readSnapshot(input: PayloadInput, endpoints: readonly IndexedEndpoint[]): Generator<ReadItem, void> {
  const buffer = new Uint8Array(READ_BYTES);
  for (const [endpointIndex, endpoint] of byKey(endpoints).entries()) {
    const endpointRank = endpointIndex + 1;
    if (endpoint.models === null) {
      yield { kind: 'failed', where: `endpoint ${endpointRank}`, reason: RECORD_PROBLEMS.no_models };
      continue;
    }
    for (const [modelIndex, model] of byKey(endpoint.models).entries()) {
      const modelRank = modelIndex + 1;
      if (!model.isObject) {
        yield {
          kind: 'failed',
          where: `model ${modelRank} of endpoint ${endpointRank}`,
          reason: RECORD_PROBLEMS.not_object,
        };
        continue;
      }
      if (model.details === null || model.count === 0) {
        yield { kind: 'unsupported' };
        continue;
      }
      const source = new RangeSource(input, model.details.start, model.details.end, buffer);
      let detailIndex = 0;
      for (const found of readElements(new Cursor(source), 1)) {
        if (typeof found === 'symbol') continue;
        const position = { endpoint: endpoint.key, endpointRank, model: model.key, modelRank, detailIndex };
        yield { kind: 'detail', bytes: found.bytes, position };
        detailIndex += 1;
      }
    }
  }
}

function byKey<T extends { readonly key: string }>(entries: readonly T[]): T[] {
  return [...entries].sort((left, right) => compareCodePoints(left.key, right.key));
}
