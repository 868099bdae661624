import { play, type Play } from './play';

/** A process of its own that plays what it is told. */
process.on('message', (message: Play) => void play(message).then((score) => process.send!(score)));
