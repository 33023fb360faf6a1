export function isSlowExpression(source: string, flags: string): boolean;
