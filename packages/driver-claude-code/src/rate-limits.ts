import {
  type DriverEvent,
  type JsonObject,
  msFromSeconds,
  numberMember,
  objectMember,
  type QuotaState,
  type QuotaWindow,
  stringMember,
} from '@murmur/driver-sdk';
import type { ClaudeCodeState } from './state.js';

const MINUTES: Readonly<Record<string, number>> = { five_hour: 300, seven_day: 10_080 };

const STATES: Readonly<Record<string, QuotaState>> = {
  allowed: 'ok',
  allowed_warning: 'warning',
  rejected: 'exhausted',
};

/**
 * Events of a `rate_limit_event` line. Windows are called as Claude Code calls them, with `-` for `_`: `five-hour`,
 * `seven-day`, `seven-day-opus`, … A report that names no window says nothing that could be kept.
 */
export function rateLimit(info: JsonObject | undefined, state: ClaudeCodeState): readonly DriverEvent[] {
  const all = objectMember(info, 'unifiedWindows') ?? {};
  const windows = Object.keys(all).map((type) => window(type, objectMember(all, type)));
  const type = stringMember(info, 'rateLimitType');
  // The window that decided: what is told of it at the top completes what stands in the list.
  const deciding = type === undefined ? undefined : window(type, info);
  const listed = windows.find((one) => one.name === deciding?.name);
  const completed =
    deciding === undefined ? [] : [listed === undefined ? deciding : filledFrom(listed, deciding)];
  const report = [...windows.filter((one) => one !== listed), ...completed];
  return report.length === 0 ? [] : state.quota.report(report);
}

function window(type: string, told: JsonObject | undefined): QuotaWindow {
  const used = numberMember(told, 'utilization');
  return {
    name: type.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    // Past the limit it is more than all of it.
    used: used === undefined ? undefined : Math.min(used, 1),
    resetsAt: msFromSeconds(numberMember(told, 'resetsAt')),
    windowMinutes: type.startsWith('seven_day') ? MINUTES.seven_day : MINUTES[type],
    state: STATES[stringMember(told, 'status') ?? ''],
  };
}

function filledFrom(window: QuotaWindow, other: QuotaWindow): QuotaWindow {
  return {
    ...window,
    used: window.used ?? other.used,
    resetsAt: window.resetsAt ?? other.resetsAt,
    state: window.state ?? other.state,
  };
}
