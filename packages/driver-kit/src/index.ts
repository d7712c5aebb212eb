export { type BuildComponentOptions, buildComponent } from './build-component.js';
