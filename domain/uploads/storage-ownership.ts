/** What a start knows of a database and of the storage beside it. */
export type OwnershipFacts = {
  /** The id of the workspace in the database, undefined where it has none. */
  readonly databaseId: string | undefined
  /** The id of the workspace in the storage, undefined where it has none. */
  readonly storageId: string | undefined
  /** Of a sample of the files that the database refers to: how many, and how many of them the storage has. */
  readonly referenced: number
  readonly present: number
  /** Of a sample of what is in the storage, finished or not: how many, and how many of them the database knows. */
  readonly stored: number
  readonly known: number
}

/**
 * `match`: both have the same id. `claim`: the one without an id takes that of the other, or both get a new one.
 * Everything else is refused: nothing proves that the files belong to this database.
 */
export type Ownership = 'match' | 'claim' | 'other-workspace' | 'unknown-files' | 'missing-files'

/** Decides whether a storage belongs to a database. */
export function decideOwnership(facts: OwnershipFacts): Ownership {
  const { databaseId, storageId } = facts
  if (databaseId !== undefined && storageId !== undefined) return databaseId === storageId ? 'match' : 'other-workspace'
  if (storageId !== undefined) return isMostlyKnown(facts) ? 'claim' : 'other-workspace'
  if (facts.stored > 0) return isMostlyKnown(facts) ? 'claim' : 'unknown-files'
  return facts.referenced === 0 ? 'claim' : 'missing-files'
}

/** Whether most files of one side are found on the other: an installation from before there were ids, or its backup. */
function isMostlyKnown({ referenced, present, stored, known }: OwnershipFacts): boolean {
  return referenced > 0 ? present * 2 >= referenced : stored > 0 && known * 2 >= stored
}
