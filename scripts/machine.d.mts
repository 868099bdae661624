export function chromium(): string | undefined;
export function program(name: string): string | undefined;
export function provide(names: string[]): Promise<Array<{ name: string; why: string; fix: string }>>;
