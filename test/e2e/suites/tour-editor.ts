import { only, type Suite } from '../suite';
import browser from './browser';

/** One panel, in a real browser: what `npm test` does in the editor. */
const tour: Suite = {
	checks: (world) => only(browser.checks(world), ['the node runs from the editor and shows what the service answered']),
};

export default tour;
