/** "States and transitions": the values of an inquiry's status. */
export const statuses = ['PLANNING', 'RUNNING', 'ENRICHING', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'] as const;
export type Status = (typeof statuses)[number];

const endStatuses = ['COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'] as const;
export type EndStatus = (typeof endStatuses)[number];

export const isEnd = (status: Status): status is EndStatus => (endStatuses as readonly Status[]).includes(status);
