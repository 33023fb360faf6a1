export async function runCostCommand(
  _args: string[],
  { stderr }: { stderr: { write(text: string): unknown } },
): Promise<number> {
  stderr.write('not yet\n');
  return 2;
}
