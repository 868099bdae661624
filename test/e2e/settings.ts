import type { HostName } from '../../host/install.mjs';
import { profileSettings } from './profiles';

/** Parts of newer versions that call home or that nothing here uses; an older n8n refuses names it does not know. */
const UNUSED_MODULES = [
	'instance-ai',
	'mcp-registry',
	'chat-hub',
	'mcp',
	'insights',
	'external-secrets',
	'source-control',
	'ldap',
	'sso-oidc',
	'sso-saml',
	'log-streaming',
	'workflow-builder',
	'otel',
	'instance-version-history',
];

/** The environment of an n8n that is alone on its machine: local, quiet, and calling nobody. */
export function settings(host: HostName, place: { folder: string; port: number; brokerPort: number }) {
	return {
		HOME: place.folder,
		TZ: 'UTC',
		LANG: process.env.LANG ?? 'C.UTF-8',
		N8N_USER_FOLDER: place.folder,
		N8N_PORT: String(place.port),
		N8N_RUNNERS_BROKER_PORT: String(place.brokerPort),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		// Every version knows this older name.
		WEBHOOK_URL: `http://127.0.0.1:${place.port}/`,
		N8N_ENCRYPTION_KEY: 'a-key-for-throw-away-instances',
		N8N_SECURE_COOKIE: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_AI_ENABLED: 'false',
		N8N_RUNNERS_TASK_TIMEOUT: '60',
		...(process.env.N8N_LOG_LEVEL && { N8N_LOG_LEVEL: process.env.N8N_LOG_LEVEL }),
		...(host === 'newest' && { N8N_DISABLED_MODULES: UNUSED_MODULES.join(',') }),
		...profileSettings(),
	};
}
