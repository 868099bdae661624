import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees what nobody holds any more, so that a test can tell what is still held. */
export const collectGarbage = runInNewContext('gc') as () => void;
