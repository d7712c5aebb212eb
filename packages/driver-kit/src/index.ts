export { type BuildComponentOptions, buildComponent } from './build-component.js';
export { type BuildDriverOptions, type BuiltDriver, buildDriver } from './build-driver.js';
export { type CheckedDriver, checkDriver } from './check-driver.js';
export { driverNameProblems } from './check-names.js';
export { WIT_DIRECTORY } from './componentize.js';
export type { DriverEngine } from './engine.js';
export { type PackDriverOptions, packDriver } from './pack-driver.js';
export type { CheckDriverOptions } from './prepare-driver.js';
