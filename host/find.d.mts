import type { HostName, InstalledHost } from './install.mjs';

export function findHost(which: HostName): Promise<InstalledHost>;
export function containerName(folder: string): string;
