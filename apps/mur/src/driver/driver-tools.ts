export { driverBuild } from './build.js';
export { driverCheck } from './check.js';
export { driverRecord } from './record.js';
export { driverTest } from './test.js';
