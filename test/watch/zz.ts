import { randomWorld } from './ingredients';
import { live } from './life';
const { world, plan } = randomWorld(Number(process.env.SEED));
void live(world, plan).then((life) => {
const { lost } = life;
console.log(lost.length, lost.at(0), lost.at(-1), life.service.inquiries.length, life.pause.map(t => new Date(t).toISOString()), life.settlingMs / 3600000);
});
