import type { JsonObject } from '@manager/core/json/json';
import { parseJson } from '@manager/core/json/json';
import { withoutLoneSurrogates } from '@manager/core/json/well-formed';
import type { JsonKind, JsonListener } from './json-scanner.ts';
import { MAX_RECORD_BYTES, PayloadRefused } from './refused.ts';

export interface IndexedModel {
  readonly key: string;
  readonly isObject: boolean;
  /** Offsets of `[` and behind `]`; `null` without a list. */
  readonly details: { readonly start: number; readonly end: number } | null;
  readonly count: number;
}

export interface IndexedEndpoint {
  readonly key: string;
  /** `null` when there is no object of models. */
  readonly models: readonly IndexedModel[] | null;
}

/** The outline of one object after its bytes were scanned. */
export interface ObjectOutline {
  /** The object as the format detection needs it: names, and the relevant values. */
  readonly skeleton: JsonObject;
  /** Content of `usage.apis` and of `apis`. */
  readonly wrapped: readonly IndexedEndpoint[];
  readonly direct: readonly IndexedEndpoint[];
  /** Why it cannot be a snapshot; '' = it can. */
  readonly fault: string;
}

const MAX_STRUCTURAL_KEYS = 100_000;
/** Limit of other top-level names. */
const MAX_NOTED_NAMES = 10_000;
const MAX_KEY_BYTES = 8 * 1024 * 1024;

type Role = 'root' | 'usage' | 'apis' | 'endpoint' | 'models' | 'model' | 'details' | 'other';
type Draft<T> = { -readonly [Name in keyof T]: T[Name] };

/** Containers whose member names are needed. */
const NAMED: ReadonlySet<Role> = new Set<Role>(['root', 'usage', 'apis', 'endpoint', 'models', 'model']);
/** The names in a snapshot besides those of endpoints and models. */
const STRUCTURAL: Readonly<Partial<Record<Role, ReadonlySet<string>>>> = {
  root: new Set(['usage', 'apis']),
  usage: new Set(['apis']),
  endpoint: new Set(['models']),
  model: new Set(['details']),
};

/**
 * Records the positions of the details of a snapshot while its bytes are scanned, in memory that grows only with the names of
 * endpoints and models.
 */
export class SnapshotIndex implements JsonListener {
  readonly #roles: Role[] = [];
  readonly #skeleton: Record<string, unknown> = {};
  readonly #wrapped: Draft<IndexedEndpoint>[] = [];
  readonly #direct: Draft<IndexedEndpoint>[] = [];
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** Structural names of the open containers, to find repeated ones. */
  readonly #names: Set<string>[] = [];
  #usage: Record<string, unknown> | null = null;
  #endpoints: Draft<IndexedEndpoint>[] = [];
  #models: Draft<IndexedModel>[] = [];
  #name = '';
  #noted = 0;
  #keys = 0;
  #keyBytes = 0;
  #detailStart = -1;
  #fault = '';

  outline(): ObjectOutline {
    // For the format it matters only whether there are entries, not which.
    if (this.#wrapped.length > 0 && this.#usage !== null) this.#usage.apis = { entries: null };
    if (this.#direct.length > 0) this.#skeleton.apis = { entries: null };
    return { skeleton: this.#skeleton, wrapped: this.#wrapped, direct: this.#direct, fault: this.#fault };
  }

  wantsNames(): boolean {
    return NAMED.has(this.#role());
  }

  name(text: Uint8Array): void {
    this.#name = this.#readName(text);
    const role = this.#role();
    const structural = role === 'apis' || role === 'models' || STRUCTURAL[role]?.has(this.#name) === true;
    if (!structural) return;
    this.#keys += 1;
    this.#keyBytes += text.length;
    if (this.#keys > MAX_STRUCTURAL_KEYS || this.#keyBytes > MAX_KEY_BYTES) {
      throw new PayloadRefused('the usage snapshot has too many endpoints and models, or their names are too long');
    }
    const names = this.#names.at(-1);
    if (names?.has(this.#name) === true) this.#fault ||= 'the usage snapshot lists one part twice';
    names?.add(this.#name);
  }

  begin(kind: JsonKind, offset: number): boolean {
    const parent = this.#roles.at(-1);
    const role = parent === undefined ? 'root' : this.#enter(parent, kind, offset);
    if (kind === 'object' || kind === 'list') {
      this.#roles.push(role);
      if (NAMED.has(role)) this.#names.push(new Set());
    }
    return parent === 'root' && isHashName(this.#name);
  }

  end(kind: JsonKind, offset: number, text: Uint8Array): void {
    if (kind === 'object' || kind === 'list') {
      const role = this.#roles.pop() ?? 'other';
      if (NAMED.has(role)) this.#names.pop();
      if (role === 'details') this.#endDetails(offset);
    }
    const parent = this.#roles.at(-1);
    if (parent === 'details') this.#endDetail(offset);
    if (parent === 'root' && kind === 'text' && isHashName(this.#name)) {
      this.#skeleton[this.#name] = this.#readName(text);
    }
  }

  /** Records the start of a value and returns its role as a container. */
  #enter(parent: Role, kind: JsonKind, offset: number): Role {
    const name = this.#name;
    const isObject = kind === 'object';
    switch (parent) {
      case 'root':
        if (name === 'usage') {
          this.#usage = isObject ? {} : null;
          this.#skeleton.usage = this.#usage;
          return isObject ? 'usage' : 'other';
        }
        this.#note(this.#skeleton);
        return name === 'apis' && isObject ? this.#enterApis(this.#direct) : 'other';
      case 'usage':
        if (this.#usage !== null) this.#note(this.#usage);
        return name === 'apis' && isObject ? this.#enterApis(this.#wrapped) : 'other';
      case 'apis':
        this.#endpoints.push({ key: name, models: null });
        return isObject ? 'endpoint' : 'other';
      case 'endpoint': {
        const endpoint = this.#endpoints.at(-1);
        if (name !== 'models' || !isObject || endpoint === undefined) return 'other';
        this.#models = [];
        endpoint.models = this.#models;
        return 'models';
      }
      case 'models':
        this.#models.push({ key: name, isObject, details: null, count: 0 });
        return isObject ? 'model' : 'other';
      case 'model': {
        const model = this.#models.at(-1);
        if (name !== 'details' || kind !== 'list' || model === undefined) return 'other';
        model.details = { start: offset, end: offset };
        return 'details';
      }
      case 'details': {
        const model = this.#models.at(-1);
        if (model !== undefined) model.count += 1;
        this.#detailStart = offset;
        return 'other';
      }
      case 'other':
        return 'other';
    }
  }

  #enterApis(endpoints: Draft<IndexedEndpoint>[]): Role {
    this.#endpoints = endpoints;
    return 'apis';
  }

  /**
   * Records that a member exists. No real record has this many; the names of a hostile one must not fill the memory.
   */
  #note(owner: Record<string, unknown>): void {
    this.#noted += 1;
    if (this.#noted <= MAX_NOTED_NAMES) owner[this.#name] = null;
  }

  #endDetails(end: number): void {
    const model = this.#models.at(-1);
    if (model?.details) model.details = { ...model.details, end };
  }

  #endDetail(offset: number): void {
    if (offset - this.#detailStart > MAX_RECORD_BYTES) {
      this.#fault ||= `the usage snapshot has a detail larger than ${MAX_RECORD_BYTES} bytes`;
    }
  }

  #role(): Role {
    return this.#roles.at(-1) ?? 'other';
  }

  #readName(text: Uint8Array): string {
    let json: string;
    try {
      json = this.#decoder.decode(text);
    } catch {
      this.#fault ||= 'the usage snapshot has a name that is not valid UTF-8';
      return '';
    }
    const value = parseJson(withoutLoneSurrogates(`"${json}"`).text);
    return typeof value === 'string' ? value : '';
  }
}

function isHashName(name: string): boolean {
  return name === 'event_hash' || name === 'eventHash';
}
