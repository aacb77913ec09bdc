/** State of the database and the file storage at server start. */
export type OwnershipFacts = {
  readonly databaseId: string | undefined
  readonly storageId: string | undefined
  readonly referenced: number
  readonly present: number
  /** Number of sampled stored files, and how many of them are in the database. */
  readonly stored: number
  readonly known: number
}

/**
 * `match`: the database and the storage have the same ID; `claim`: use the existing ID for both, or create one.
 * Otherwise the files may belong to another database.
 */
export type Ownership = 'match' | 'claim' | 'other-workspace' | 'unknown-files' | 'missing-files'

export function decideOwnership(facts: OwnershipFacts): Ownership {
  const { databaseId, storageId } = facts
  if (databaseId !== undefined && storageId !== undefined) return databaseId === storageId ? 'match' : 'other-workspace'
  if (storageId !== undefined) return isMostlyKnown(facts) ? 'claim' : 'other-workspace'
  if (facts.stored > 0) return isMostlyKnown(facts) ? 'claim' : 'unknown-files'
  return facts.referenced === 0 ? 'claim' : 'missing-files'
}

/**
 * Whether at least half of the sampled files exist in both the database and the storage; checked if a workspace ID is
 * missing.
 */
function isMostlyKnown({ referenced, present, stored, known }: OwnershipFacts): boolean {
  return referenced > 0 ? present * 2 >= referenced : stored > 0 && known * 2 >= stored
}
