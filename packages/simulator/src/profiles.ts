import type { Profile, ProfileAlias, ProfileName } from './types.ts';
import { featuresOf } from './versions.ts';

const OLDEST = [
  'timestamp',
  'latency_ms',
  'source',
  'auth_index',
  'tokens',
  'tokens.input_tokens',
  'tokens.output_tokens',
  'tokens.reasoning_tokens',
  'tokens.cached_tokens',
  'tokens.total_tokens',
  'failed',
  'provider',
  'model',
  'endpoint',
  'auth_type',
  'api_key',
  'request_id',
];
const SINCE_6_10_7 = ['alias'];
const SINCE_7_0_3 = ['fail', 'tokens.cache_read_tokens', 'tokens.cache_creation_tokens'];
const SINCE_7_1_13 = ['response_headers'];
const SINCE_7_1_38 = ['reasoning_effort', 'ttft_ms', 'service_tier', 'executor_type'];
const SINCE_7_2_116 = [
  'response_service_tier',
  'tokens.cache_read_tokens_present',
  'generate',
  'accounting_version',
  'token_breakdown',
  'client_ip',
  'x_forwarded_for',
  'user_agent',
  'access_token_sha256',
];

const MEMBERS_6_10_8 = [...OLDEST, ...SINCE_6_10_7];
const MEMBERS_7_0_7 = [...MEMBERS_6_10_8, ...SINCE_7_0_3];
const MEMBERS_7_1_17 = [...MEMBERS_7_0_7, ...SINCE_7_1_13];
const MEMBERS_7_1_39 = [...MEMBERS_7_1_17, ...SINCE_7_1_38];
const MEMBERS_7_2_140 = [...MEMBERS_7_1_39, ...SINCE_7_2_116];

type Difference = Partial<Omit<Profile, 'name' | 'version' | 'endpoints' | 'payloadMembers'>>;

function profile(
  name: ProfileName,
  version: string,
  members: readonly string[],
  difference: Difference = {},
): readonly [ProfileName, Profile] {
  const full: Profile = {
    name,
    version,
    management: 'on',
    resp: 'serve',
    pubsub: true,
    errorsChannel: true,
    controlMessages: true,
    httpQueue: true,
    popKeyCheck: true,
    filters: true,
    authenticatesUnknownPaths: true,
    ...difference,
    endpoints: featuresOf(version),
    payloadMembers: new Set(members),
  };
  return [name, full];
}

/** What every version before v7.1.44 lacks. */
const OLD: Difference = { errorsChannel: false, popKeyCheck: false, filters: false, authenticatesUnknownPaths: false };

const PROFILES: ReadonlyMap<ProfileName, Profile> = new Map([
  profile('v6.9.38', '6.9.38', OLDEST, { ...OLD, pubsub: false, controlMessages: false, httpQueue: false }),
  profile('v6.10.8', '6.10.8', MEMBERS_6_10_8, { ...OLD, pubsub: false, controlMessages: false }),
  profile('v7.0.7', '7.0.7', MEMBERS_7_0_7, { ...OLD, controlMessages: false }),
  profile('v7.1.17', '7.1.17', MEMBERS_7_1_17, { ...OLD, resp: 'auth-disabled', controlMessages: false }),
  profile('v7.1.39', '7.1.39', MEMBERS_7_1_39, OLD),
  profile('v7.2.140', '7.2.140', MEMBERS_7_2_140),
  profile('http-only', '7.2.140', MEMBERS_7_2_140, { resp: 'http-400' }),
  profile('off', '7.2.140', MEMBERS_7_2_140, { management: 'off', resp: 'close' }),
  profile('home', '7.2.140', MEMBERS_7_2_140, { management: 'cluster', resp: 'cluster-text' }),
]);

export const PROFILE_NAMES: readonly ProfileName[] = [...PROFILES.keys()];

/** Looks up a profile by name or alias; unknown names throw. */
export function profileOf(name: ProfileAlias): Profile {
  const resolved = name === 'latest' ? 'v7.2.140' : name === 'v6.9' ? 'v6.9.38' : name;
  const found = PROFILES.get(resolved);
  if (found === undefined) throw new Error(`unknown profile ${name}; known: ${PROFILE_NAMES.join(', ')}, v6.9, latest`);
  return found;
}
