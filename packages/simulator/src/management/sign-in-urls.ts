import { createHash } from 'node:crypto';

const ADDRESSES: Readonly<Record<string, string>> = {
  claude: 'https://claude.ai/oauth/authorize',
  codex: 'https://auth.openai.com/oauth/authorize',
  antigravity: 'https://accounts.google.com/o/oauth2/v2/auth',
};

const GOOGLE = 'https://www.googleapis.com/auth';
const GOOGLE_SCOPES = ['cloud-platform', 'userinfo.email', 'userinfo.profile', 'cclog', 'experimentsandconfigs'];

/** Parameters of each provider's sign-in page; public values, the same in every gateway. */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: {
    client_id: '9d1c250a-e61b-44d9-88ed-5944d1962f5e',
    code: 'true',
    code_challenge_method: 'S256',
    redirect_uri: 'http://localhost:54545/callback',
    response_type: 'code',
    scope: 'user:profile user:inference user:sessions:claude_code user:mcp_servers user:file_upload',
  },
  codex: {
    client_id: 'app_EMoamEEZ73f0CkXaXp7hrann',
    code_challenge_method: 'S256',
    codex_cli_simplified_flow: 'true',
    id_token_add_organizations: 'true',
    prompt: 'login',
    redirect_uri: 'http://localhost:1455/auth/callback',
    response_type: 'code',
    scope: 'openid email profile offline_access',
  },
  antigravity: {
    access_type: 'offline',
    client_id: '1071006060591-tmhssin2h21lcre235vtolojh4g403ep.apps.googleusercontent.com',
    prompt: 'consent',
    redirect_uri: 'http://localhost:51121/oauth-callback',
    response_type: 'code',
    scope: GOOGLE_SCOPES.map((scope) => `${GOOGLE}/${scope}`).join(' '),
  },
};

/** Where the browser is sent to sign in. */
export function signInUrl(provider: string, state: string): string {
  const url = new URL(ADDRESSES[provider] ?? 'https://auth.example.test/oauth/authorize');
  const parameters = new Map(Object.entries(PARAMETERS[provider] ?? {}));
  if (parameters.has('code_challenge_method'))
    parameters.set('code_challenge', createHash('sha256').update(state).digest('base64url'));
  parameters.set('state', state);
  for (const [name, value] of parameters) url.searchParams.set(name, value);
  return url.href;
}
