import { HOSTS, installHost } from './install.mjs';

// node host/main.mjs [newest] [oldest]: installs what is named, or both.
const wanted = process.argv.length > 2 ? process.argv.slice(2) : HOSTS;
for (const which of wanted) {
	const { version } = await installHost(which);
	console.log(`n8n ${version} is ready in host/${which}`);
}
