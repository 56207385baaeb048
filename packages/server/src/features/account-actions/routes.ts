import type { CandidateCommand } from '@manager/core/accounts/failures/states';
import { ACCOUNT_ACTIONS_LIMIT, ACCOUNT_ACTIONS_PATH } from '@manager/core/contract/constants';
import { AppError } from '@manager/core/contract/errors';
import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import type { AccountActions } from './service.ts';

export function createAccountActionRoutes(actions: AccountActions): FeatureRoutes {
  const act = async (id: string, command: CandidateCommand) => {
    actions.requireConfigured();
    return jsonResponse(await actions.act(idOf(id), command));
  };
  return new Hono<ManagerEnv>()
    .get(ACCOUNT_ACTIONS_PATH, async (c) => {
      actions.requireConfigured();
      const { status = '', limit = '' } = c.req.query();
      return jsonResponse(await actions.list({ status: status.trim(), limit: limitOf(limit) }));
    })
    .post(`${ACCOUNT_ACTIONS_PATH}/:id/ignore`, (c) => act(c.req.param('id'), 'ignore'))
    .post(`${ACCOUNT_ACTIONS_PATH}/:id/resolve`, (c) => act(c.req.param('id'), 'resolve'))
    .post(`${ACCOUNT_ACTIONS_PATH}/:id/enable`, (c) => act(c.req.param('id'), 'enable'))
    .delete(`${ACCOUNT_ACTIONS_PATH}/:id/auth-file`, (c) => act(c.req.param('id'), 'delete'));
}

function idOf(text: string): number {
  const id = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  if (id < 1) throw new AppError('candidate_id_invalid');
  return id;
}

/** An invalid limit is ignored. */
function limitOf(text: string): number {
  const limit = /^[0-9]{1,9}$/.test(text.trim()) ? Number(text) : 0;
  return limit >= 1 && limit <= ACCOUNT_ACTIONS_LIMIT.most ? limit : ACCOUNT_ACTIONS_LIMIT.default;
}
