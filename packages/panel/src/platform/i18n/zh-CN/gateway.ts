import type { gateway as english } from '../en/gateway.ts';

export const gateway = {
  'gateway.allServe': '没有账号问题',
  'gateway.allServeText': '已启用但不可用的账号会连同原因显示在这里。',
  'gateway.degradedText': '最近 {{minutes}} 分钟有 {{share}} 的请求失败（{{failed}} 个）。',
  'gateway.enabled': '启用',
  'gateway.failedToLoad': '无法加载账号',
  'gateway.failing': '问题',
  'gateway.fleet': '各提供商的账号和密钥',
  'gateway.healthyText_other': '最近 {{minutes}} 分钟 {{requests}} 个请求。',
  'gateway.keysLost': '这些数字不含提供商密钥的请求。',
  'gateway.keysOld': '此网关不对其计数，请升级网关。',
  'gateway.manager': '没有管理器时',
  'gateway.managerAdds':
    '网关只保留 200 分钟的计数，不保留请求。管理器会保存每个请求及其词元和费用，并提供分析、模型价格、配额历史、账号检查与自动化、请求丢失提醒以及配置的历史版本。',
  'gateway.managerHow':
    '在网关旁启动 manager-server 并打开其地址，默认端口为 18317。它提供同样的面板，只需网关的 URL 和管理密钥。',
  'gateway.noAccountsText': '它仅使用提供商密钥。登录账号即可使用订阅。',
  'gateway.noCounts': '此网关不对请求计数',
  'gateway.noCountsText': '较新的网关会统计最近 200 分钟。完整历史请从管理器打开面板查看。',
  'gateway.nothing': '没有账号，也没有提供商密钥',
  'gateway.nothingText': '请登录一个账号，或添加一个提供商密钥。此后即开始对请求计数。',
  'gateway.ofAccounts_other': '{{count}} 个账号中启用 {{on}} 个',
  'gateway.perBucket': '每 10 分钟',
  'gateway.quietText': '最近 {{minutes}} 分钟没有请求。',
  'gateway.settings': '配置',
  'gateway.throughput': '吞吐量',
  'gateway.unavailable': '{{unavailable}} 个账号不可用。',
  'gateway.unconfirmed': '{{value}} 个未确认',
  'gateway.window': '最近 {{minutes}} 分钟',
  'gateway.working': '可用账号',
} as const satisfies Partial<Record<keyof typeof english, string>>;
