import type { Filter } from '#domain/query/filter.ts'
import { type ConditionDraft, conditionOf, draftOf } from './condition-draft.ts'

/** How the parts of a group are joined. */
export type Join = 'all' | 'any'

/** A group of lines and of further groups, as the builder draws it. */
export type GroupDraft = { readonly key: number; readonly join: Join; readonly parts: readonly PartDraft[] }

/** A line or a group inside another. */
export type PartDraft = ConditionDraft | GroupDraft

/** How deep groups may stand inside the outermost one: deeper ones nobody can read. */
export const MAX_GROUP_DEPTH = 2

/** Gives every part a key of its own. */
export type KeyMaker = () => number

/** Whether a part is a group. */
export const isGroup = (part: PartDraft): part is GroupDraft => 'parts' in part

/** A filter as the builder draws it; undefined where its groups are nested deeper than it can. */
export function groupDraft(filter: Filter | null, newKey: KeyMaker): GroupDraft | undefined {
  if (filter === null) return { key: newKey(), join: 'all', parts: [] }
  if ('field' in filter) return { key: newKey(), join: 'all', parts: [draftOf(filter, newKey())] }
  return groupAt(filter, newKey, 0)
}

/** Whether the builder can draw a filter. */
export const canDraw = (filter: Filter | null): boolean => groupDraft(filter, () => 0) !== undefined

type GroupFilter = Exclude<Filter, { field: string }>

function groupAt(filter: GroupFilter, newKey: KeyMaker, depth: number): GroupDraft | undefined {
  if (depth > MAX_GROUP_DEPTH) return undefined
  const key = newKey()
  const parts: PartDraft[] = []
  for (const part of 'all' in filter ? filter.all : filter.any) {
    const drawn = 'field' in part ? draftOf(part, newKey()) : groupAt(part, newKey, depth + 1)
    if (drawn === undefined) return undefined
    parts.push(drawn)
  }
  return { key, join: 'all' in filter ? 'all' : 'any', parts }
}

/** What is drawn, as a filter: null where nothing is said. A line without its value says nothing yet. */
export function filterOfGroup(group: GroupDraft): Filter | null {
  const parts = group.parts.flatMap((part): Filter[] => {
    const said = isGroup(part) ? filterOfGroup(part) : (conditionOf(part) ?? null)
    return said === null ? [] : [said]
  })
  const [only] = parts
  if (only === undefined) return null
  return parts.length === 1 ? only : group.join === 'all' ? { all: parts } : { any: parts }
}

/** Whether every line has its value, and no inner group is empty. */
export const isComplete = (group: GroupDraft): boolean =>
  group.parts.every((part) => (isGroup(part) ? part.parts.length > 0 && isComplete(part) : conditionOf(part)))

/** The tree with a part replaced by another, or without it where there is none. */
export function withPart(group: GroupDraft, key: number, part: PartDraft | undefined): GroupDraft {
  return {
    ...group,
    parts: group.parts.flatMap((each): readonly PartDraft[] => {
      if (each.key === key) return part === undefined ? [] : [part]
      return [isGroup(each) ? withPart(each, key, part) : each]
    }),
  }
}

/** The tree with a part at the end of one of its groups. */
export function withAdded(group: GroupDraft, key: number, part: PartDraft): GroupDraft {
  const parts = group.parts.map((each) => (isGroup(each) ? withAdded(each, key, part) : each))
  return { ...group, parts: group.key === key ? [...parts, part] : parts }
}

/** The tree with the parts of one of its groups joined otherwise. */
export function withJoin(group: GroupDraft, key: number, join: Join): GroupDraft {
  const parts = group.parts.map((each) => (isGroup(each) ? withJoin(each, key, join) : each))
  return { ...group, join: group.key === key ? join : group.join, parts }
}

/** A part once more, with keys of its own. */
export function copyOfPart(part: PartDraft, newKey: KeyMaker): PartDraft {
  if (!isGroup(part)) return { ...part, key: newKey() }
  return { ...part, key: newKey(), parts: part.parts.map((each) => copyOfPart(each, newKey)) }
}

/** The tree with a part behind another one, in the same group. */
export function withPartAfter(group: GroupDraft, key: number, part: PartDraft): GroupDraft {
  return {
    ...group,
    parts: group.parts.flatMap((each): readonly PartDraft[] => {
      if (each.key === key) return [each, part]
      return [isGroup(each) ? withPartAfter(each, key, part) : each]
    }),
  }
}

/** The part of that key, wherever it stands. */
export function findPart(group: GroupDraft, key: number): PartDraft | undefined {
  for (const part of group.parts) {
    if (part.key === key) return part
    const inside = isGroup(part) ? findPart(part, key) : undefined
    if (inside) return inside
  }
  return undefined
}

/** Every line of a tree, from top to bottom. */
export const rowsOf = (group: GroupDraft): readonly ConditionDraft[] =>
  group.parts.flatMap((part) => (isGroup(part) ? rowsOf(part) : [part]))

/** How many levels of groups stand in a part, itself included. */
export const levelsOf = (part: PartDraft): number => (isGroup(part) ? 1 + Math.max(0, ...part.parts.map(levelsOf)) : 0)
