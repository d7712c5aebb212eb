export { type ConsumeOptions, type ConsumeResult, consumeCheck } from './consume-check.js';
