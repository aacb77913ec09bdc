/** Which groups are collapsed: all but some, or some. It stays small whatever is done to all of them at once. */
export type CollapsedGroups = {
  /** What groups are that are not named. */
  readonly isCollapsed: boolean
  /** The keys of those that are otherwise. */
  readonly except: ReadonlySet<string>
}

/** Every group expanded. */
export const ALL_EXPANDED: CollapsedGroups = { isCollapsed: false, except: new Set() }

/** Every group collapsed. */
export const ALL_COLLAPSED: CollapsedGroups = { isCollapsed: true, except: new Set() }

/** Whether a group is collapsed. */
export const isGroupCollapsed = (fold: CollapsedGroups, key: string): boolean =>
  fold.except.has(key) !== fold.isCollapsed

/** The same with one group turned over. */
export function withToggled({ isCollapsed, except }: CollapsedGroups, key: string): CollapsedGroups {
  const next = new Set(except)
  if (!next.delete(key)) next.add(key)
  return { isCollapsed, except: next }
}
