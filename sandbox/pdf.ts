import type { Inquiry } from './inquiries';

/** A small, valid PDF that is the same for the same inquiry, and whose bytes do not survive being read as text. */
export function pdfReport(inquiry: Inquiry): Buffer {
	const line = `Inquiry ${inquiry.id}: ${inquiry.status}`;
	const content = `BT /F1 14 Tf 40 780 Td (${line}) Tj ET`;
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
		`<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
	];
	let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
	const offsets = objects.map((object, index) => {
		const offset = file.length;
		file += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return String(offset).padStart(10, '0');
	});
	const table = file.length;
	file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${at} 00000 n \n`).join('')}`;
	file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
	return Buffer.from(file, 'latin1');
}
