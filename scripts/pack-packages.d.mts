export function packPackages(folder: string): Promise<Record<string, string>>;
export function packTollgate(folder: string): Promise<string>;
export function layOutTollgate(folder: string): Promise<void>;
export function withPacked(
  manifestPath: string,
  tarballs: Record<string, string>,
): { scripts: Record<string, string>; dependencies: Record<string, string> };
