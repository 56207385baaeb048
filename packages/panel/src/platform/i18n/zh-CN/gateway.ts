import type { gateway as english } from '../en/gateway.ts';

export const gateway = {
  'gateway.allServe': '没有账号问题',
  'gateway.allServeText': '已启用但不可用的账号会连同原因显示在这里。',
  'gateway.degradedText': '最近 {{minutes}} 分钟有 {{share}} 的请求失败（{{failed}} 个）。',
  'gateway.enabled': '启用',
  'gateway.failedToLoad': '无法加载账号',
  'gateway.failing': '账号问题',
  'gateway.fleet': '各提供商的账号和密钥',
  'gateway.healthyText_other': '最近 {{minutes}} 分钟 {{requests}} 个请求。',
  'gateway.keysLost': '这些数字不含提供商密钥的请求。',
  'gateway.keysOld': '此网关不对其计数，请升级网关。',
  'gateway.noCounts': '此网关不对请求计数',
  'gateway.noCountsText': '较新的网关会统计最近 200 分钟。完整历史请从管理器打开面板查看。',
  'gateway.ofAccounts_other': '{{count}} 个账号中启用 {{on}} 个',
  'gateway.perBucket': '每 10 分钟',
  'gateway.quietText': '最近 {{minutes}} 分钟没有请求。',
  'gateway.settings': '配置',
  'gateway.throughput': '吞吐量',
  'gateway.window': '最近 {{minutes}} 分钟',
  'gateway.working': '可用账号',
} as const satisfies Partial<Record<keyof typeof english, string>>;
