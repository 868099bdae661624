/** What makes queue mode of n8n, here and in the compose file of the docs. */
export const QUEUE_MODE = {
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	DB_TYPE: 'postgresdb',
};
