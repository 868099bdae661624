import type { Conclusion } from './report';

const width = 760;
const rowHeight = 20;
const labelWidth = 330;

/** Draws how many times as much as this node everything else took. The scale is logarithmic. */
export function chart(conclusions: readonly Conclusion[]): string {
	const lines: string[] = [];
	let y = 24;
	const text = (x: number, at: number, said: string, more = '') =>
		lines.push(`<text x="${x}" y="${at}" ${more}>${said.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</text>`);
	for (const { bench, bars = {} } of conclusions) {
		if (Object.keys(bars).length === 0) continue;
		text(8, y, bench, 'font-weight="bold"');
		y += rowHeight;
		for (const [name, times] of Object.entries(bars)) {
			// From a third of ours to three hundred times as much.
			const share = Math.min(1, Math.max(0.02, (Math.log10(times) + 0.5) / 3));
			const length = Math.round(share * (width - labelWidth - 70));
			text(16, y, name);
			const color = name.startsWith('this node') ? '#2f6f4f' : '#9aa5b1';
			lines.push(`<rect x="${labelWidth}" y="${y - 12}" width="${length}" height="14" fill="${color}"/>`);
			text(labelWidth + length + 6, y, `${times}×`);
			y += rowHeight;
		}
		y += rowHeight / 2;
	}
	const style = 'font-family="sans-serif" font-size="13" fill="#24292f"';
	const paper = `<rect width="${width}" height="${y}" fill="#ffffff"/>`;
	const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" ${style}>`;
	return [head, paper, ...lines, '</svg>', ''].join('\n');
}
