/**
 * What several questions answer that were asked at once. Whatever one of them comes to, all are over when this is: a
 * statement that is still on its way when its write ends would be run outside of it.
 */
export async function awaitAll<Asked extends readonly unknown[]>(
  ...asked: Asked
): Promise<{ -readonly [At in keyof Asked]: Awaited<Asked[At]> }> {
  await Promise.allSettled(asked)
  return Promise.all(asked)
}
