/** The keys a database was used with, and those in the file of this server. */
export type KeyIds = {
  /** The ids that the database remembers. */
  readonly known: readonly string[]
  /** The ids in the file; undefined where there is no file. */
  readonly present: readonly string[] | undefined
  /** Whether the database holds something that was made with keys. */
  readonly isUsed: boolean
}

/** Whether the file holds the keys of the database. More than the database remembers is fine: keys are replaced beside it. */
export function compareKeyIds({ known, present, isUsed }: KeyIds): 'match' | 'missing' | 'replaced' {
  if (present === undefined) return known.length > 0 || isUsed ? 'missing' : 'match'
  return known.every((id) => present.includes(id)) ? 'match' : 'replaced'
}
