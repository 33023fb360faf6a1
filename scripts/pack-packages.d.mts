export function packPackages(folder: string): Record<string, string>;
export function withPacked(
  manifestPath: string,
  tarballs: Record<string, string>,
): { scripts: Record<string, string>; dependencies: Record<string, string> };
