/**
 * Awaits several promises. All have settled when this resolves or rejects: a running statement would otherwise run
 * after the end of its write.
 */
export async function awaitAll<Asked extends readonly unknown[]>(
  ...asked: Asked
): Promise<{ -readonly [At in keyof Asked]: Awaited<Asked[At]> }> {
  await Promise.allSettled(asked)
  return Promise.all(asked)
}
