'use strict';

// What the compiler does not do: everything else that n8n needs in dist, and a look at whether all of it is there.

const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { dest, series, src } = require('gulp');

const root = __dirname;
const dist = path.join(root, 'dist');

/** Files of earlier builds: compiled from a source that is gone, or written by the tasks below. */
async function prune() {
	const entries = fs.readdirSync(dist, { recursive: true, withFileTypes: true });
	for (const entry of entries.filter((each) => each.isFile())) {
		const file = path.join(entry.parentPath, entry.name);
		const source = path.join(root, path.relative(dist, file)).replace(/\.js$/, '.ts');
		if (!file.endsWith('.js') || !fs.existsSync(source)) fs.rmSync(file);
	}
}

/** The compiler indents with four spaces, a twelfth of what n8n would have to read. Texts of several lines hold tabs. */
async function indentation() {
	for (const file of fs.readdirSync(dist, { recursive: true }).filter((each) => each.endsWith('.js'))) {
		const place = path.join(dist, file);
		const code = fs.readFileSync(place, 'utf8');
		fs.writeFileSync(
			place,
			code.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
		);
	}
}

/** Icons, the codex of each node, and the previews of what an operation returns. */
function assets() {
	return src(['icons/*.svg', 'nodes/**/*.json'], { base: root, encoding: false }).pipe(dest(dist));
}

async function manifest() {
	const { n8n } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
	const missing = [...n8n.nodes, ...n8n.credentials].filter((file) => !fs.existsSync(path.join(root, file)));
	if (missing.length > 0) {
		throw new Error(`The n8n block of package.json lists what the build does not contain: ${missing.join(', ')}`);
	}
}

/** With this metadata n8n shows the nodes without loading their code. Its own generator writes it. */
async function metadata() {
	const generator = path.join(path.dirname(require.resolve('n8n-core/package.json')), 'bin/generate-metadata');
	await promisify(execFile)(process.execPath, [generator], { cwd: root });
	// Only n8n's own build looks into this one.
	fs.rmSync(path.join(dist, 'methods'), { recursive: true });
}

exports.default = series(prune, indentation, assets, manifest, metadata);
