/** One rate-limit window of a provider. Times in ms. */
export interface QuotaWindow {
  readonly used_percent?: number;
  readonly reset_at_ms?: number;
  readonly reset_after_seconds?: number;
  readonly window_minutes?: number;
}

export interface RateLimitPair {
  readonly limit?: number;
  readonly remaining?: number;
}

/** The stored part of a provider's answer besides tokens. Unknown groups and members are left out. */
export interface ResponseMetadata {
  readonly quota?: {
    readonly plan_type?: string;
    readonly active_limit?: string;
    readonly rate_limit_reached_type?: string;
    readonly summary_window_kind?: string;
    readonly summary_window_source?: string;
    readonly reached_window_kind?: string;
    readonly reached_window_source?: string;
    readonly credits_balance?: string;
    readonly credits_has_credits?: boolean;
    readonly credits_unlimited?: boolean;
    readonly primary_over_secondary_limit_percent?: number;
    readonly primary?: QuotaWindow;
    readonly secondary?: QuotaWindow;
    readonly recover_at_ms?: number;
    readonly used_percent?: number;
  };
  readonly errors?: {
    readonly kind?: string;
    readonly code?: string;
    readonly authorization_error?: string;
    readonly ide_error_code?: string;
    readonly ide_root_error_code?: string;
    readonly rate_limit_bypass?: string;
    readonly should_retry?: boolean;
    readonly retry_after_seconds?: number;
    readonly retry_after_recover_at_ms?: number;
  };
  readonly trace?: {
    readonly primary_trace_id?: string;
    readonly openai_request_id?: string;
    readonly request_id?: string;
    readonly oneapi_request_id?: string;
    readonly cloud_ai_companion_trace_id?: string;
    readonly cf_ray?: string;
    readonly eagle_id?: string;
    readonly client_request_id?: string;
    readonly zeabur_request_id?: string;
    readonly traceparent?: string;
  };
  readonly routing?: {
    readonly openai_proxy_wasm?: string;
    readonly models_etag?: string;
    readonly new_api_version?: string;
    readonly server?: string;
    readonly via?: string;
    readonly cf_cache_status?: string;
    readonly site_cache_status?: string;
    readonly served_by?: string;
    readonly mife_upstream_status?: string;
  };
  readonly response?: {
    readonly content_type?: string;
    readonly content_length?: number;
    readonly content_disposition?: string;
    readonly server_timing?: string;
  };
  readonly providers?: {
    readonly antigravity_trace_id?: string;
    readonly antigravity_server_timing?: string;
    readonly mife_upstream_status?: string;
    readonly oneapi_request_id?: string;
    readonly cloudflare_ray?: string;
    readonly cloudflare_cache_status?: string;
  };
  readonly rate_limit?: { readonly requests?: RateLimitPair; readonly tokens?: RateLimitPair };
  readonly data_policy?: { readonly retention_mode?: string; readonly zero_retention?: boolean };
  readonly provider_usage?: ProviderUsage;
}

/** Evidence of a used-up allowance that a provider reports only in an error body. */
export interface ProviderUsage {
  readonly provider?: string;
  readonly kind?: string;
  readonly state?: string;
  readonly code?: string;
  readonly model?: string;
  readonly unit?: string;
  readonly actual?: number;
  readonly limit?: number;
  readonly remaining?: number;
  readonly overage?: number;
  readonly window_kind?: string;
  readonly observed_at_ms?: number;
  readonly recover_at_ms?: number;
  readonly recover_at_estimated?: boolean;
  readonly source?: string;
}

/** `flag`: true, 1, yes and their opposites. `number`: may carry a percent sign. `count`: integer ≥ 0. */
export type ValueKind = 'text' | 'lower_text' | 'trace_parent' | 'flag' | 'number' | 'count';

export interface ObjectKind {
  readonly [member: string]: ValueKind | ObjectKind;
}

type KindsOf<T> = {
  readonly [M in keyof T]-?: Exclude<T[M], undefined> extends object ? KindsOf<Exclude<T[M], undefined>> : ValueKind;
};

const WINDOW = {
  used_percent: 'number',
  reset_at_ms: 'count',
  reset_after_seconds: 'count',
  window_minutes: 'count',
} as const satisfies KindsOf<QuotaWindow>;

const PAIR = { limit: 'count', remaining: 'count' } as const satisfies KindsOf<RateLimitPair>;

/** Every member with its kind, in the order in which metadata is written. All other members are dropped. */
export const METADATA_SCHEMA = {
  quota: {
    plan_type: 'text',
    active_limit: 'text',
    rate_limit_reached_type: 'text',
    summary_window_kind: 'text',
    summary_window_source: 'text',
    reached_window_kind: 'text',
    reached_window_source: 'text',
    credits_balance: 'text',
    credits_has_credits: 'flag',
    credits_unlimited: 'flag',
    primary_over_secondary_limit_percent: 'number',
    primary: WINDOW,
    secondary: WINDOW,
    recover_at_ms: 'count',
    used_percent: 'number',
  },
  errors: {
    kind: 'text',
    code: 'text',
    authorization_error: 'text',
    ide_error_code: 'text',
    ide_root_error_code: 'text',
    rate_limit_bypass: 'text',
    should_retry: 'flag',
    retry_after_seconds: 'count',
    retry_after_recover_at_ms: 'count',
  },
  trace: {
    primary_trace_id: 'text',
    openai_request_id: 'text',
    request_id: 'text',
    oneapi_request_id: 'text',
    cloud_ai_companion_trace_id: 'text',
    cf_ray: 'text',
    eagle_id: 'text',
    client_request_id: 'text',
    zeabur_request_id: 'text',
    traceparent: 'trace_parent',
  },
  routing: {
    openai_proxy_wasm: 'text',
    models_etag: 'text',
    new_api_version: 'text',
    server: 'text',
    via: 'text',
    cf_cache_status: 'text',
    site_cache_status: 'text',
    served_by: 'text',
    mife_upstream_status: 'text',
  },
  response: {
    content_type: 'text',
    content_length: 'count',
    content_disposition: 'text',
    server_timing: 'text',
  },
  providers: {
    antigravity_trace_id: 'text',
    antigravity_server_timing: 'text',
    mife_upstream_status: 'text',
    oneapi_request_id: 'text',
    cloudflare_ray: 'text',
    cloudflare_cache_status: 'text',
  },
  rate_limit: { requests: PAIR, tokens: PAIR },
  data_policy: { retention_mode: 'lower_text', zero_retention: 'flag' },
  provider_usage: {
    provider: 'text',
    kind: 'text',
    state: 'text',
    code: 'text',
    model: 'text',
    unit: 'text',
    actual: 'count',
    limit: 'count',
    remaining: 'count',
    overage: 'count',
    window_kind: 'text',
    observed_at_ms: 'count',
    recover_at_ms: 'count',
    recover_at_estimated: 'flag',
    source: 'text',
  },
} as const satisfies KindsOf<ResponseMetadata>;
