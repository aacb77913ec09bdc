import { type GroupDraft, isGroup, levelsOf, MAX_GROUP_DEPTH, type PartDraft } from './condition-tree.ts'

/** Where a part goes: one place up or down as one reads. */
export type MoveBy = -1 | 1

/**
 * The tree with a part one place further up or down as one reads it: past the line beside it, into a group that stands
 * there, out of its own group at its ends. A group that is left empty goes. The same tree where there is no way on.
 */
export function moveCondition(root: GroupDraft, key: number, by: MoveBy): GroupDraft {
  return movedIn(root, key, by, 0) ?? root
}

function movedIn(group: GroupDraft, key: number, by: MoveBy, depth: number): GroupDraft | undefined {
  const at = group.parts.findIndex((part) => part.key === key)
  if (at >= 0) return movedAmong(group, at, by, depth)
  for (const [place, part] of group.parts.entries()) {
    if (!isGroup(part)) continue
    const left = leaving(part, key, by)
    if (left) {
      const rest = left.rest.parts.length > 0 ? [left.rest] : []
      return withParts(group, place, by < 0 ? [left.part, ...rest] : [...rest, left.part])
    }
    const moved = movedIn(part, key, by, depth + 1)
    if (moved) return withParts(group, place, [moved])
  }
  return undefined
}

/** A part past the one beside it, or into it where that is a group with room for it. */
function movedAmong(group: GroupDraft, at: number, by: MoveBy, depth: number): GroupDraft | undefined {
  const [part, beside] = [group.parts[at], group.parts[at + by]]
  if (!part || !beside) return undefined
  const without = group.parts.toSpliced(at, 1)
  if (!isGroup(beside) || depth + 1 + levelsOf(part) > MAX_GROUP_DEPTH)
    return { ...group, parts: without.toSpliced(at + by, 0, part) }
  const parts = by > 0 ? [part, ...beside.parts] : [...beside.parts, part]
  return { ...group, parts: without.map((each) => (each === beside ? { ...beside, parts } : each)) }
}

type Left = { readonly part: PartDraft; readonly rest: GroupDraft }

/** A group without the part at its end, which goes on beside the group; undefined where it does not stand there. */
function leaving(group: GroupDraft, key: number, by: MoveBy): Left | undefined {
  const part = by < 0 ? group.parts[0] : group.parts.at(-1)
  if (part?.key !== key) return undefined
  return { part, rest: { ...group, parts: group.parts.filter((each) => each !== part) } }
}

const withParts = (group: GroupDraft, at: number, parts: readonly PartDraft[]): GroupDraft => ({
  ...group,
  parts: group.parts.toSpliced(at, 1, ...parts),
})
