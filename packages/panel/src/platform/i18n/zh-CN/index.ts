import type { en } from '../en/index.ts';
import { accountActions } from './account-actions.ts';
import { accountUpload } from './account-upload.ts';
import { accounts } from './accounts.ts';
import { analytics } from './analytics.ts';
import { archives } from './archives.ts';
import { clientKeys } from './client-keys.ts';
import { common } from './common.ts';
import { configuration } from './configuration.ts';
import { cost } from './cost.ts';
import { coverage } from './coverage.ts';
import { dashboard } from './dashboard.ts';
import { doctor } from './doctor.ts';
import { edits } from './edits.ts';
import { filter } from './filter.ts';
import { gateway } from './gateway.ts';
import { inspection } from './inspection.ts';
import { inspectionSettings } from './inspection-settings.ts';
import { logs } from './logs.ts';
import { modelRules } from './model-rules.ts';
import { monitoring } from './monitoring.ts';
import { notifications } from './notifications.ts';
import { palette } from './palette.ts';
import { parts } from './parts.ts';
import { plugins } from './plugins.ts';
import { prices } from './prices.ts';
import { providerSignIn } from './provider-sign-in.ts';
import { providers } from './providers.ts';
import { range } from './range.ts';
import { report } from './report.ts';
import { settings } from './settings.ts';
import { setup } from './setup.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { status } from './status.ts';
import { system } from './system.ts';
import { transfer } from './transfer.ts';
import { viewerLinks } from './viewer-links.ts';

/**
 * 简体中文. Chinese has one plural form, `_other`. One word for one thing:
 *
 * | English | 中文 | English | 中文 |
 * |---|---|---|---|
 * | gateway | 网关 | manager | 管理器 |
 * | panel | 面板 | operator | 运维人员 |
 * | admin key | 管理员密钥 | management key | 管理密钥 |
 * | client key | 客户端密钥 | provider key | 提供商密钥 |
 * | request | 请求 | response | 响应 |
 * | event | 事件 | dead letter | 死信 |
 * | account | 账号 | auth file | 认证文件 |
 * | auth index | 认证索引 | sign-in | 登录 |
 * | provider | 提供商 | model / billing model | 模型 / 计费模型 |
 * | price | 价格 | cost | 费用 |
 * | unpriced | 未定价 | service tier / size tier | 服务等级 / 大小档 |
 * | token | 词元 | bucket | 时段 |
 * | quota | 额度 | quota window | 额度窗口 |
 * | resets | 重置 | cooldown | 冷却 |
 * | inspection | 巡检 | action queue | 处理队列 |
 * | enable / disable | 启用 / 停用 | doctor | 自检 |
 * | collector | 采集器 | gap | 缺口 |
 * | archive run | 归档任务 | archive segment | 归档段 |
 * | fact / fact segment | 事实 / 事实段 | hourly rollup | 小时汇总 |
 * | import session | 导入会话 | database snapshot | 数据库快照 |
 * | masking | 脱敏 | total | 合计 |
 */
export const zhCN = {
  ...accounts,
  ...accountActions,
  ...accountUpload,
  ...archives,
  ...analytics,
  ...clientKeys,
  ...common,
  ...configuration,
  ...cost,
  ...coverage,
  ...dashboard,
  ...doctor,
  ...edits,
  ...filter,
  ...gateway,
  ...inspection,
  ...transfer,
  ...inspectionSettings,
  ...logs,
  ...modelRules,
  ...monitoring,
  ...notifications,
  ...palette,
  ...parts,
  ...plugins,
  ...prices,
  ...providerSignIn,
  ...providers,
  ...range,
  ...report,
  ...settings,
  ...setup,
  ...shell,
  ...signIn,
  ...status,
  ...system,
  ...viewerLinks,
} as const satisfies Partial<Record<keyof typeof en, string>>;
