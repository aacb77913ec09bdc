import { t } from '#web/i18n/t.ts'
import { newCondition } from '#web/shared/conditions/model/condition-draft.ts'
import {
  copyOfPart,
  findPart,
  type GroupDraft,
  type Join,
  rowsOf,
  type PartDraft,
  withAdded,
  withJoin,
  withPart,
  withPartAfter,
} from '#web/shared/conditions/model/condition-tree.ts'
import { type MoveBy, moveCondition } from '#web/shared/conditions/model/move-condition.ts'
import type { PathGroup } from '#web/shared/conditions/path-fields.ts'

/** What can be done to the tree, wherever in it one is. */
export type TreeEdits = {
  readonly put: (part: PartDraft) => void
  readonly remove: (key: number) => void
  readonly addLine: (group: number) => void
  readonly addGroup: (group: number) => void
  readonly join: (group: number, join: Join) => void
  readonly duplicate: (key: number) => void
  /** One place up or down as one reads, into groups and out of them. */
  readonly move: (key: number, by: MoveBy) => void
  readonly canMove: (key: number, by: MoveBy) => boolean
}

/** Where the keyboard goes on once the tree is drawn anew. */
export type TreeFocus = {
  /** To a control of a line or group: `field`, `operator`, `value`, `more`, `remove`. */
  readonly on: (key: number, control: string) => void
  /** To the button that adds to a group. */
  readonly onAdding: (group: number) => void
  /** The control that has the focus now. */
  readonly controlNow: () => string | undefined
}

type Editing = {
  readonly draft: GroupDraft
  readonly change: (draft: GroupDraft) => void
  readonly newKey: () => number
  readonly groups: readonly PathGroup[]
  readonly isOfGrant: boolean
  readonly focus: TreeFocus
  readonly say: (text: string) => void
}

/** The edits of a tree as it stands. */
export function treeEdits({ draft, change, newKey, groups, isOfGrant, focus, say }: Editing): TreeEdits {
  const line = () => {
    const first = groups.flatMap(({ fields }) => fields)[0]
    return first ? newCondition(newKey(), first, isOfGrant) : undefined
  }
  const add = (group: number, part: (first: PartDraft) => PartDraft) => {
    const added = line()
    if (added === undefined) return
    focus.on(added.key, 'field')
    change(withAdded(draft, group, part(added)))
  }
  return {
    put: (part) => change(withPart(draft, part.key, part)),
    remove: (key) => {
      // What had the focus is gone: whoever works without a mouse goes on at the end.
      focus.onAdding(draft.key)
      say(t('Removed'))
      change(withPart(draft, key, undefined))
    },
    addLine: (group) => add(group, (first) => first),
    // Whoever nests means the other word: conditions of one word need no group.
    addGroup: (group) => add(group, (first) => ({ key: newKey(), join: 'any', parts: [first] })),
    join: (group, join) => change(withJoin(draft, group, join)),
    duplicate: (key) => {
      const part = findPart(draft, key)
      if (!part) return
      const copy = copyOfPart(part, newKey)
      focus.on(copy.key, 'operator')
      say(t('Duplicated'))
      change(withPartAfter(draft, key, copy))
    },
    move: (key, by) => {
      const moved = moveCondition(draft, key, by)
      if (moved === draft) return
      // A field that is given the focus opens its list.
      const control = focus.controlNow() ?? 'more'
      focus.on(key, control === 'field' ? 'more' : control)
      say(placeWords(moved, key))
      change(moved)
    },
    canMove: (key, by) => moveCondition(draft, key, by) !== draft,
  }
}

/** Where a part stands after a move. */
function placeWords(root: GroupDraft, key: number): string {
  const keys = rowsOf(root).map((line) => line.key)
  const part = findPart(root, key)
  const first = part && 'parts' in part ? rowsOf(part)[0]?.key : key
  return t('Moved to position {indexOf} of {keysCount}', {
    indexOf: keys.indexOf(first ?? key) + 1,
    keysCount: keys.length,
  })
}
