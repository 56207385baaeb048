/** Who disabled an account: only the same owner may extend the cooldown or end it. */
export const COOLDOWN_OWNERS = ['manager_usage_429', 'manager_xai_free_usage'] as const;
export type CooldownOwner = (typeof COOLDOWN_OWNERS)[number];

export function isCooldownOwner(owner: string): owner is CooldownOwner {
  return COOLDOWN_OWNERS.some((known) => known === owner);
}
