import type { MessageTexts } from './message-texts.ts';

export const ZH_CN: MessageTexts = {
  events: {
    collector_down: {
      raised: { one: '采集器自 {from} 起停止工作', many: '采集器停止工作' },
      passed: { one: '采集器在 {from} 至 {until} 期间停止工作', many: '采集器曾停止工作' },
      recovered: { one: '已恢复：采集器自 {until} 起恢复工作', many: '已恢复：采集器恢复工作' },
    },
    collector_starved: {
      raised: { one: '自 {from} 起网关有请求，但收不到事件', many: '网关有请求，但收不到事件' },
      passed: { one: '{from} 至 {until} 期间没有收到事件', many: '曾有一段时间没有收到事件' },
      recovered: { one: '已恢复：自 {until} 起重新收到事件', many: '已恢复：重新收到事件' },
    },
    collection_gap: {
      raised: { one: '采集缺口：{from} 至 {to}，这段时间的事件可能缺失', many: '{count} 个采集缺口：事件可能缺失' },
      passed: { one: '采集缺口：{from} 至 {to}，这段时间的事件可能缺失', many: '{count} 个采集缺口：事件可能缺失' },
      recovered: { one: '采集缺口已结束', many: '{count} 个采集缺口已结束' },
    },
    disk_low: {
      raised: { one: '磁盘空间不足：剩余 {free}（{name}）', many: '{count} 个卷的磁盘空间不足' },
      passed: { one: '{from} 至 {until} 期间磁盘空间不足（{name}）', many: '{count} 个卷曾磁盘空间不足' },
      recovered: { one: '已恢复：磁盘空间充足（{name}）', many: '已恢复：{count} 个卷的磁盘空间充足' },
    },
    account_login: {
      raised: { one: '账号 {name} 需要重新登录', many: '{count} 个账号需要重新登录' },
      passed: { one: '账号 {name} 在 {from} 至 {until} 期间需要重新登录', many: '{count} 个账号曾需要重新登录' },
      recovered: { one: '已恢复：账号 {name} 不再需要登录', many: '已恢复：{count} 个账号不再需要登录' },
    },
    quota_used_up: {
      raised: { one: '额度已用尽：{name}', many: '额度已用尽：{count} 个窗口' },
      passed: { one: '额度在 {from} 至 {until} 期间用尽：{name}', many: '额度曾用尽：{count} 个窗口' },
      recovered: { one: '已恢复：重新有可用额度：{name}', many: '已恢复：重新有可用额度：{count} 个窗口' },
    },
    quota_low: {
      raised: { one: '额度偏低：{name}，剩余 {left}', many: '额度偏低：{count} 个窗口' },
      passed: { one: '额度在 {from} 至 {until} 期间偏低：{name}', many: '额度曾偏低：{count} 个窗口' },
      recovered: { one: '已恢复：额度不再偏低：{name}', many: '已恢复：额度不再偏低：{count} 个窗口' },
    },
    budget_passed: {
      raised: { one: '预算已用完：{name}，已用 {used}，预算 {limit}', many: '{count} 项预算已用完' },
      passed: {
        one: '预算曾用完，至 {until}：{name}，已用 {used}，预算 {limit}',
        many: '{count} 项预算曾用完',
      },
      recovered: { one: '已恢复：预算不再超出：{name}', many: '已恢复：{count} 项预算不再超出' },
    },
    archive_failed: {
      raised: { one: '归档任务在 {from} 失败', many: '{count} 个归档任务失败' },
      passed: { one: '归档任务在 {from} 失败，随后继续', many: '{count} 个归档任务失败，随后继续' },
      recovered: { one: '已恢复：归档任务继续', many: '已恢复：{count} 个归档任务继续' },
    },
    inspection_failed: {
      raised: { one: '账号巡检在 {from} 失败', many: '账号巡检失败' },
      passed: { one: '账号巡检在 {from} 失败，下一次已完成', many: '账号巡检失败，随后已完成' },
      recovered: { one: '已恢复：账号巡检已完成', many: '已恢复：账号巡检已完成' },
    },
    gateway_update: {
      raised: { one: '网关有新版本：{name}，当前版本 {running}', many: '网关有 {count} 个新版本' },
      passed: { one: '网关曾有新版本：{name}', many: '网关曾有 {count} 个新版本' },
      recovered: { one: '网关已是最新版本', many: '网关已是最新版本' },
    },
  },
  digest: '{count} 项变化',
  more: '另有 {count} 项',
  link: '详情：{url}',
  test: { title: '测试消息', text: '管理器的通知会发送到这里。' },
  someAccount: '（{provider}）',
  someClientKey: '一个客户端密钥',
  allRequests: '全部请求',
  unknown: '未知',
  hours: '{value} 小时',
  days: '{value} 天',
  minutes: '{value} 分钟',
  resets: '{time} 重置',
  reasons: {
    gateway_unreachable: '无法连接网关',
    events_not_stored: '无法存储事件',
    key_rejected: '网关拒绝了管理密钥',
    address_banned: '网关封禁了管理器的地址',
    remote_disabled: '网关不允许远程管理',
    key_not_set: '网关没有设置管理密钥',
    token_revoked: '登录已被撤销',
    invalid_credentials: '登录无效或已过期',
  },
  colon: '：',
  listSeparator: '、',
  sentenceSeparator: '。',
};
