import type { RecordId } from '../shared/ids.ts'

/** A record's links before and after linked records are deleted. */
export type RemovedLinks = { readonly before: readonly RecordId[]; readonly after: readonly RecordId[] }

export const linksRemovedBy = ({ before, after }: RemovedLinks): readonly RecordId[] => {
  const kept = new Set(after)
  return before.filter((id) => !kept.has(id))
}

/** Restores each removed link after the link that used to precede it; newer links are kept. */
export function withRestoredLinks(
  current: readonly RecordId[],
  removed: RemovedLinks,
  existing: ReadonlySet<RecordId>,
): readonly RecordId[] {
  const isMissing = new Set(linksRemovedBy(removed).filter((id) => existing.has(id) && !current.includes(id)))
  const links = [...current]
  for (const [at, id] of removed.before.entries()) {
    if (!isMissing.delete(id)) continue
    const previous = removed.before.slice(0, at).findLast((other) => links.includes(other))
    links.splice(previous === undefined ? 0 : links.indexOf(previous) + 1, 0, id)
  }
  return links
}
