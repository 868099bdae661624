export { pollInquiries } from './inquiries';
export { judgeByResults, type ResultFilters } from './judge';
export { defaultLimits, type Limits } from './limits';
export type { State } from './memory';
export type { PollOptions, PollResult, Verdicts } from './poll';
export * from './source';
export { Turns } from './turns';
export type { StatusEvent } from './watch';
